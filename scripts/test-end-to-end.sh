#!/usr/bin/env bash
# Tests the installed command from the outside, as scripts use it.
#   scripts/test-end-to-end.sh PATH/TO/cuzk PATH/TO/snarkjs
# Files of ../shared/samples are used where that folder is.
set -uo pipefail
cuzk=$1
snarkjs=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
samples=$root/../shared/samples
quick=$root/testdata/quickstart
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
passed=0 failed=0

check() {
  local title=$1
  shift
  if "$@" >check.out 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $title"
    cut -c1-300 check.out | sed 's/^/    /' | tail -n 12
  fi
}

# exits_with CODE COMMAND...: the command ends with that code, says so in few lines, and shows no stack trace.
exits_with() {
  local expected=$1 code
  shift
  timeout 60 "$@" >stdout 2>stderr
  code=$?
  cat stdout stderr
  [ "$code" = "$expected" ] || { echo "exit code $code, expected $expected"; return 1; }
  ! grep -qE '^\s+at [a-z]+\.|Exception in thread' stdout stderr || { echo "a stack trace"; return 1; }
}

prove=("$cuzk" prove --gpus none --quiet)

accepted_by_snarkjs() {
  local folder=$1 proof
  for proof in "$folder"/proofs/*.proof.json; do
    "$snarkjs" groth16 verify "$folder"/keys/*.json "${proof%.proof.json}.public.json" "$proof" || return 1
  done
}

test_quick_start() {
  check "input.bin" exits_with 0 "${prove[@]}" --out quick "$quick/input.bin"
  check "input.bin: snarkjs" accepted_by_snarkjs quick
  check "input.bin: verify" exits_with 0 "$cuzk" verify quick
  check "verify, three files" exits_with 0 "$cuzk" verify --vk "$quick/verification_key.json" "$quick/proof.json" \
    "$quick/public.json"
  check "verify, snarkjs' order" exits_with 0 "$cuzk" verify "$quick/verification_key.json" "$quick/public.json" \
    "$quick/proof.json"
  sed 's/\[/["1",/' "$quick/public.json" >one-too-many.json
  check "one public signal too many" exits_with 3 "$cuzk" verify --vk "$quick/verification_key.json" \
    "$quick/proof.json" one-too-many.json
  check "a pair of files" exits_with 0 "${prove[@]}" --key "$quick/circuit.zkey" --proof p.json --public u.json \
    "$quick/witness.wtns"
  check "the pair verifies" "$snarkjs" groth16 verify "$quick/verification_key.json" u.json p.json
}

test_usage() {
  check "four positional files" exits_with 2 "${prove[@]}" "$quick/circuit.zkey" "$quick/witness.wtns" a.json b.json
  check "no command but --config" exits_with 2 "$cuzk" --config f
  check "unknown option" exits_with 2 "${prove[@]}" --gpu none "$quick/input.bin"
  check "a bare G" exits_with 2 "${prove[@]}" --host-memory 4G "$quick/input.bin"
  check "a GPU that is not there" exits_with 5 "$cuzk" prove --gpus 0 --out g "$quick/input.bin"
  check "no proof was written" test -z "$(find g -name '*.json' -path '*/proofs/*' 2>/dev/null)"
  check "output folder under a file" exits_with 9 "${prove[@]}" --out "$quick/input.bin/x" "$quick/input.bin"
  check "help" exits_with 0 "$cuzk" help prove
  check "version" exits_with 0 "$cuzk" --version
}

# Witnesses enough for CUZK_TEST_KILLS runs (8), killed again and again at random moments: what the journal accepted is never proved twice.
test_kill_and_resume() {
  local i code=1 accepted kills=${CUZK_TEST_KILLS:-8}
  local jobs=$((kills * 6 + 2))
  mkdir -p many
  for i in $(seq -w "$jobs"); do cp "$quick/witness.wtns" "many/w$i.wtns"; done
  for i in $(seq "$kills"); do
    setsid "$cuzk" prove --gpus none --quiet --key "$quick/circuit.zkey" --out killed many >>paths 2>>killed.err &
    local pid=$!
    sleep "1.$((RANDOM % 9))"
    kill -9 -- -"$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
  done
  timeout $((60 + jobs)) "$cuzk" prove --gpus none --quiet --key "$quick/circuit.zkey" --out killed many >>paths 2>>killed.err
  code=$?
  check "killed runs: the last one ends well" test "$code" = 0
  check "killed runs: $jobs proofs" test "$(find killed/proofs -name '*.proof.json' | wc -l)" = "$jobs"
  check "killed runs: no stray files" test "$(find killed/proofs -type f | wc -l)" = $((2 * jobs))
  accepted=$(grep -c '"accepted"' killed/journal.jsonl)
  check "killed runs: no proof made twice that was accepted (journal has $accepted)" test "$accepted" = "$jobs"
  check "killed runs: verify" exits_with 0 "$cuzk" verify killed
}

test_stop_signal() {
  local pid code
  "$cuzk" prove --gpus none --quiet --key "$quick/circuit.zkey" --out stopped many >stopped.out 2>stopped.err &
  pid=$!
  # At the first proof, or after a minute.
  for _ in $(seq 600); do
    if [ -s stopped.out ] || ! kill -0 "$pid" 2>/dev/null; then break; fi
    sleep 0.1
  done
  kill -TERM "$pid"
  wait "$pid"
  code=$?
  check "SIGTERM: exit 143 (or done before)" test "$code" = 143 -o "$code" = 0
  check "SIGTERM: a report was written" test -s stopped/report.json
  check "SIGTERM: resumed" exits_with 0 "${prove[@]}" --resume --key "$quick/circuit.zkey" --out stopped many
}

# Signals to a run whose input, a pipe, never ends.
waiting_run() {
  local folder=$1 grace=$2
  rm -f endless
  mkfifo endless
  sleep 120 >endless &
  writer=$!
  "$cuzk" prove --gpus none --quiet --grace "$grace" --out "$folder" - <endless >waiting.out 2>waiting.err &
  waiting=$!
  sleep 3
  kill -TERM "$waiting"
}

gone_within() {
  for _ in $(seq "$1"); do
    case $(ps -o stat= -p "$waiting") in '' | Z*) return 0 ;; esac
    sleep 0.1
  done
  return 1
}

test_second_signal() {
  local waiting writer
  waiting_run twice 1h
  sleep 1
  check "first signal: the grace time is not over" kill -0 "$waiting"
  kill -TERM "$waiting"
  check "second signal: ends at once" gone_within 10
  wait "$waiting"
  check "second signal: exit 143" test "$?" = 143
  kill "$writer" 2>/dev/null
  waiting_run once 1s
  check "one signal: ends after the grace time" gone_within 40
  wait "$waiting"
  check "one signal: exit 143" test "$?" = 143
  kill "$writer" 2>/dev/null
}

silent_input() { exits_with 10 "${prove[@]}" "$@" - < <(exec sleep 120); }

test_time_limits() {
  check "job timeout: exit 10" exits_with 10 "$cuzk" --json prove --gpus none --job-timeout 1ms --key "$quick/circuit.zkey" \
    --out late "$quick/witness.wtns"
  check "job timeout: its class" grep -q '"type":"job".*"status":"failed".*"exit_class":10' stdout
  check "job timeout: no proof" test -z "$(find late -name '*.proof.json')"
  # The list never ends: only the limit ends the run.
  mkfifo list
  (echo "$quick/witness.wtns"; exec sleep 120) >list &
  local writer=$!
  check "time limit: exit 10" exits_with 10 "${prove[@]}" --time-limit 5s --key "$quick/circuit.zkey" --out limited \
    --files-from list
  kill "$writer" 2>/dev/null
  # Nothing ever comes: neither a list, nor the writer of one, nor an input.
  check "time limit, a silent list: exit 10" exits_with 10 "${prove[@]}" --time-limit 2s --key "$quick/circuit.zkey" \
    --out silent --files-from <(exec sleep 120)
  mkfifo unwritten
  check "time limit, a list without a writer: exit 10" exits_with 10 "${prove[@]}" --time-limit 2s \
    --key "$quick/circuit.zkey" --out silent --files-from unwritten
  check "time limit, a silent input: exit 10" silent_input --time-limit 2s --grace 1s --key "$quick/circuit.zkey" --out unread
  check "time limit, a silent input: nothing was made" test ! -e unread
  check "time limit: what was there is proved" test "$(find limited -name '*.proof.json' | wc -l)" = 1
  check "time limit: a report was written" test -s limited/report.json
}

# No home, nothing writable but the output folder, nothing executable in /tmp. Where name spaces may not be made, a
# temporary folder that does not exist stands for the same.
read_only_run() {
  mkdir -p bare
  if unshare -rm true 2>/dev/null; then
    # shellcheck disable=SC2016
    exits_with 0 unshare -rm sh -euc '
      mount --bind /tmp /tmp
      mount --bind "$PWD/bare" "$PWD/bare"
      mount --bind "$1" "$1"
      shift
      mount -o remount,bind,ro,noexec,nosuid,nodev /tmp
      mount -o remount,bind,ro /
      cd "$PWD" # Until now this is the folder below the new mounts.
      ! touch /tmp/writable 2>/dev/null
      exec env -i PATH="$PATH" "$@"' sh "$(dirname "$(readlink -f "$cuzk")")" "$cuzk" prove --gpus none --out bare/out "$quick/input.bin"
  else
    exits_with 0 env -i PATH="$PATH" CUZK_JAVA_OPTIONS=-Djava.io.tmpdir=/nonexistent "$cuzk" prove --gpus none \
      --out bare/out "$quick/input.bin"
  fi
}

test_bare_machine() {
  check "read-only root, no HOME, noexec /tmp" read_only_run
  check "its proof verifies" exits_with 0 "$cuzk" verify bare/out
}

# What the launcher starts Java with must not depend on where options stand.
java_options() { CUZK_JAVA=$scratch/java "$cuzk" "$@" | sed 's/ dev.cuzk.cli.Main .*//'; }
test_launcher() {
  printf '#!/bin/sh\necho "$@"\n' >java
  chmod +x java
  local plain
  plain=$(java_options prove --wasm circuit.wasm)
  case $plain in *-XX:*) ;; *) return ;; esac # A bundle has its own Java.
  check "options before the command" test "$(java_options --json --color never prove --wasm circuit.wasm)" = "$plain"
  check "other options without a program" test "$(java_options prove witness.wtns)" != "$plain"
}

test_shards() {
  local i
  for i in 1 2 3; do check "shard $i/3" exits_with 0 "${prove[@]}" --key "$quick/circuit.zkey" --shard "$i/3" --out shards many; done
  check "merge" exits_with 0 "$cuzk" merge shards
  check "merged: 50 proofs" test "$(find shards/proofs -name '*.proof.json' | wc -l)" = 50
}

test_samples() {
  local folder name key circuit
  for folder in "$samples"/*/; do
    name=$(basename "$folder")
    key=$(find "$folder" -maxdepth 1 -name "*.zkey" | sort | head -n 1)
    [ -n "$key" ] || continue
    check "$name: witnesses" exits_with 0 "${prove[@]}" --key "$key" --out "run-$name" "$folder"*.wtns
    check "$name: snarkjs" accepted_by_snarkjs "run-$name"
    check "$name: verify" exits_with 0 "$cuzk" verify "run-$name"
    check "$name: inputs" exits_with 0 "${prove[@]}" --key "$key" --wasm "$folder/circuit.wasm" --out "json-$name" \
      "$folder"input_*.json
    for circuit in "$folder"input_*.json; do
      circuit=$(basename "$circuit" .json)
      [ -f "$folder/${circuit/input/witness}.wtns" ] || continue
      check "$name: same public signals of $circuit" cmp "json-$name/proofs/$circuit.public.json" \
        "run-$name/proofs/${circuit/input/witness}.public.json"
    done
  done
}

# Every row of the samples' table of bad inputs.
test_bad_inputs() {
  local good=$samples/merkle16-bn128 other=$samples/merkle16-bls12381 file
  mkdir -p bad
  cp "$good/circuit.snarkjs.zkey" bad/good.zkey
  cp "$good/witness_0.wtns" bad/good.wtns
  python3 "$samples/bad-inputs/mkbad.py" >/dev/null || { check "mkbad.py" false; return; }
  for file in bad/*; do
    local name expected=3 key=bad/good.zkey witness=bad/good.wtns
    name=$(basename "$file")
    case $name in good.* | sorted.zkey | swapped.wtns) expected=0 ;; unsat.wtns | unsat_pub.wtns) expected=4 ;; esac
    case $name in *.zkey) key=$file ;; *) witness=$file ;; esac
    rm -rf out
    if [ "$name" = one_is_two.wtns ]; then
      check "$name" either_3_or_4 "${prove[@]}" --key "$key" --out out "$witness"
    else
      check "$name" exits_with "$expected" "${prove[@]}" --key "$key" --out out "$witness"
    fi
    [ "$expected" = 0 ] || check "$name: no proof" test -z "$(find out -name '*.proof.json' 2>/dev/null)"
  done
  check "swapped arguments" exits_with 3 "${prove[@]}" --key bad/good.wtns --out out bad/good.zkey
  check "the other curve's key" exits_with 3 "${prove[@]}" --key "$other/circuit.snarkjs.zkey" --out out bad/good.wtns
  check "the other curve's witness" exits_with 3 "${prove[@]}" --key bad/good.zkey --out out "$other/witness_0.wtns"
  check "a missing key" either_2_or_3 "${prove[@]}" --key bad/nope.zkey --out out bad/good.wtns
  check "a missing witness" either_2_or_3 "${prove[@]}" --key bad/good.zkey --out out bad/nope.wtns
  check "a folder as key" either_2_or_3 "${prove[@]}" --key bad --out out bad/good.wtns
  check "no output folder can be made" exits_with 9 "${prove[@]}" --key bad/good.zkey --out bad/good.zkey/out bad/good.wtns
}

either_3_or_4() { exits_with 3 "$@" || exits_with 4 "$@"; }
either_2_or_3() { exits_with 2 "$@" || exits_with 3 "$@"; }

test_quick_start
test_usage
test_kill_and_resume
test_stop_signal
test_shards
test_second_signal
test_time_limits
test_bare_machine
test_launcher
if [ -d "$samples" ]; then
  test_samples
  test_bad_inputs
fi
echo "end to end: $passed passed, $failed failed"
[ "$failed" = 0 ]
