#!/usr/bin/env bash
# Builds the native libraries with CUDA on a machine that has a GPU, a CUDA toolkit, CMake and g++ (no Java, no network),
# runs the tests, the sanitizers and the benchmarks, and leaves the results as files in a folder.
set -uo pipefail

usage() {
  cat <<USAGE
Usage: scripts/test-gpu.sh RESULTS [STEP...]
Steps (default: build kernels library sanitize samples bench memory upload): what to run, in this order.
  build      both native libraries and their tests, into native/build-gpu, or \$CUZK_BUILD
  kernels    the device kernels against the host's arithmetic, and their times (CUZK_LOG2, default 22)
  library    the tests of the C interface against the CUDA library
  sanitize   compute-sanitizer's memcheck, racecheck and initcheck on small sizes
  samples    proofs with every .zkey of the folders under CUZK_SAMPLES, on the GPU and on the CPU; both must be equal
  bench      dense circuits of 2^K rows for K in CUZK_CHAINS (default "16 18 20 22 24"), without tables and with up to five
             levels of them, proofs compared with the trapdoor; 64 small proofs of one key as one job
  memory     the same within little device memory, streamed, packed, and by four processes at once
  upload     rates of copies and of key loading
RESULTS takes one log a step and summary.txt. DOCTEST_INCLUDE_DIR names a folder with doctest/doctest.h if it is not
installed. Exit codes: 0 all passed, 1 something failed, 2 usage.
USAGE
}

[ $# -ge 1 ] || { usage >&2; exit 2; }
case $1 in -h | --help) usage; exit 0 ;; esac
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$1" || exit 2
results=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- build kernels library sanitize samples bench memory upload
readonly source_dir results build=${CUZK_BUILD:-$source_dir/native/build-gpu}
failed=0

# step NAME COMMAND...: runs it with its output in a log and one line in the summary.
step() {
  local name=$1 start=$SECONDS
  shift
  if "$@" >"$results/$name.log" 2>&1; then
    printf 'passed %s (%d s)\n' "$name" $((SECONDS - start)) | tee -a "$results/summary.txt"
  else
    printf 'FAILED %s (%d s), see %s.log\n' "$name" $((SECONDS - start)) "$name" | tee -a "$results/summary.txt"
    tail -n 25 "$results/$name.log"
    failed=1
  fi
}

environment() {
  uname -srm
  grep -m 1 'model name' /proc/cpuinfo
  nproc
  nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv
  nvcc --version | tail -n 2
  git -C "$source_dir" rev-parse HEAD 2>/dev/null || true
}

build_all() {
  local nvcc architecture options=()
  nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
  architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')
  [ -z "${DOCTEST_INCLUDE_DIR:-}" ] || options+=("-DDOCTEST_INCLUDE_DIR=$DOCTEST_INCLUDE_DIR")
  cmake -S "$source_dir/native" -B "$build" -DCMAKE_BUILD_TYPE=Release -DCUZK_CUDA=ON "-DCMAKE_CUDA_COMPILER=$nvcc" \
    "-DCMAKE_CUDA_ARCHITECTURES=$architecture" "${options[@]}" && cmake --build "$build" -j "$(nproc)"
}

sanitizer() {
  local tool=$1
  shift
  compute-sanitizer --tool "$tool" --error-exitcode 1 "$@"
}

# Proofs of one sample on both devices, with the same blinding scalars: the same bytes.
compare_sample() {
  local folder=$1 key=$2 witness=$3 out
  out=$(mktemp -d)
  mkdir -p "$out/gpu" "$out/cpu"
  "$build/bench/cuzk-zkey-prove-cuda" "$key" "$witness" "$out/gpu" "${CUZK_RUNS:-7}" &&
    "$build/bench/cuzk-zkey-prove" "$key" "$witness" "$out/cpu" 1 && cmp "$out/gpu/proof.json" "$out/cpu/proof.json"
  local status=$?
  [ $status = 0 ] && echo "$folder: the same proof on GPU and CPU"
  rm -rf "$out"
  return $status
}

compare_samples() {
  local folder key witness status=0 found=no
  for folder in "${CUZK_SAMPLES:-$source_dir/../shared/samples}"/*/; do
    key=$(find "$folder" -name '*.zkey' | sort | head -n 1)
    witness=$(find "$folder" -name '*.wtns' | sort | head -n 1)
    if [ -z "$key" ] || [ -z "$witness" ]; then continue; fi
    found=yes
    compare_sample "$folder" "$key" "$witness" || { echo "DIFFERENT: $folder"; status=1; }
  done
  [ $found = yes ] || echo "no samples found; set CUZK_SAMPLES"
  return $status
}

prove_chains() {
  local curve log status=0
  for curve in bn254 bls12-381; do
    for log in ${CUZK_CHAINS:-16 18 20 22 24}; do
      "$build/bench/cuzk-chain-prove-cuda" "$curve" "$log" "${CUZK_RUNS:-7}" || status=1
      "$build/bench/cuzk-chain-prove-cuda" "$curve" "$log" "${CUZK_RUNS:-7}" tables=5 || status=1
    done
    "$build/bench/cuzk-chain-prove-cuda" "$curve" 13 "${CUZK_RUNS:-7}" batch=64 memory=8192 || status=1
  done
  return $status
}

# Circuits of 2^22 rows in less memory than the key takes; then four processes that share the GPU.
prove_in_little_memory() {
  local arguments status=0 process processes=()
  for arguments in memory=3000 memory=900 "memory=4000 batch=4" bits "bits packed" "bits packed memory=900"; do
    # shellcheck disable=SC2086 # several words
    "$build/bench/cuzk-chain-prove-cuda" bls12-381 22 2 $arguments || status=1
  done
  for arguments in "bn254 16 20" "bls12-381 16 20" "bn254 16 20 memory=300" "bls12-381 16 20 memory=300"; do
    # shellcheck disable=SC2086
    "$build/bench/cuzk-chain-prove-cuda" $arguments &
    processes+=($!)
  done
  for process in "${processes[@]}"; do wait "$process" || status=1; done
  return $status
}

environment >"$results/environment.txt" 2>&1
for name in "$@"; do
  case $name in
    build) step build build_all ;;
    kernels) step kernels "$build/test/cuzk-cuda-kernels-test" "${CUZK_LOG2:-22}" ;;
    library) step library "$build/test/cuzk-cuda-library-test" ;;
    sanitize)
      step memcheck sanitizer memcheck "$build/test/cuzk-cuda-library-test" \
        -tc='proofs satisfy*,sparse products*,transforms agree*,the same point*,multiples of a fixed base*'
      for tool in memcheck racecheck initcheck; do
        step "$tool-streamed" sanitizer "$tool" "$build/bench/cuzk-chain-prove-cuda" bn254 6 1 memory=400
        step "$tool-tables" sanitizer "$tool" "$build/bench/cuzk-chain-prove-cuda" bn254 6 1 tables=15
        step "$tool-packed" sanitizer "$tool" "$build/bench/cuzk-chain-prove-cuda" bls12-381 7 1 batch=2 bits packed memory=60
      done
      step racecheck sanitizer racecheck "$build/test/cuzk-cuda-library-test" -tc='sparse products*,the same point*'
      step initcheck sanitizer initcheck "$build/test/cuzk-cuda-library-test" -tc='sparse products*'
      ;;
    samples) step samples compare_samples ;;
    bench) step bench prove_chains ;;
    memory) step memory prove_in_little_memory ;;
    upload) step upload "$build/bench/cuzk-upload-bench" 24 "$results/points" ;;
    *) usage >&2; exit 2 ;;
  esac
done
exit $failed
