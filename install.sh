#!/usr/bin/env bash
# Builds cuzk (native libraries and Java) and installs it under a prefix. `./install.sh --help` lists the options.
set -euo pipefail

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=$(sed -n 's|^  <version>\(.*\)</version>$|\1|p' "$source_dir/pom.xml" | head -n 1)
readonly source_dir version
readonly pypi_toolkit=(nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88
  nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85)

prefix=/usr/local
[ "$(id -u)" = 0 ] || prefix=$HOME/.local
name=cuzk
action=install
install_deps=no
cuda=auto
cuda_architectures=
toolkit=found
jobs=$(nproc)

usage() {
  cat <<USAGE
Usage: ./install.sh [options]
Builds cuzk $version and installs it.

  --prefix DIR          where to (default: /usr/local for root, else ~/.local)
  --name NAME           name of the command (default: cuzk)
  --install-deps        install missing prerequisites with apt-get (Debian, Ubuntu)
  --cuda                build the CUDA library (default: when an NVIDIA driver is present)
  --no-cuda             do not build it
  --cuda-arch LIST      architectures, for example 80,90 (default: those of the GPUs found, else all)
  --cuda-toolkit FROM   found (default: nvcc on PATH, \$CUDA_HOME or /usr/local/cuda) or
                        pypi (a toolkit from the Python package index, into native/build)
  --bundle              make dist/cuzk-$version-linux-x86_64.tar.gz, which needs no Java, and install nothing
  --uninstall           remove what an earlier run installed under the prefix
  -j N                  parallel native compilations (default: $jobs)
  -h, --help            this text

Exit codes: 0 done, 2 usage, 5 prerequisites missing, 9 could not write, or the place holds somebody else's command.
USAGE
}

say() { printf 'install.sh: %s\n' "$*" >&2; }
fail() { local code=$1; shift; say "error: $*"; exit "$code"; }

parse_arguments() {
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix | --name | --cuda-arch | --cuda-toolkit | -j)
        [ $# -ge 2 ] || fail 2 "$1 needs a value"
        case $1 in
          --prefix) prefix=$2 ;;
          --name) name=$2 ;;
          --cuda-arch) cuda_architectures=${2//,/;} ;;
          --cuda-toolkit) toolkit=$2 ;;
          -j) jobs=$2 ;;
        esac
        shift 2
        ;;
      --install-deps) install_deps=yes; shift ;;
      --cuda) cuda=yes; shift ;;
      --no-cuda) cuda=no; shift ;;
      --bundle) action=bundle; shift ;;
      --uninstall | uninstall) action=uninstall; shift ;;
      -h | --help) usage; exit 0 ;;
      *) usage >&2; fail 2 "unknown option $1" ;;
    esac
  done
  case $name in '' | */* | -*) fail 2 "--name wants a plain file name, found '$name'" ;; esac
  case $toolkit in found | pypi) ;; *) fail 2 "--cuda-toolkit wants found or pypi, found '$toolkit'" ;; esac
  case $jobs in '' | *[!0-9]*) fail 2 "-j wants a number, found '$jobs'" ;; esac
  case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
  readonly home_dir=$prefix/lib/$name
  if [ "$cuda" = auto ]; then
    if [ -e /dev/nvidiactl ] || [ -e /proc/driver/nvidia/version ]; then cuda=yes; else cuda=no; fi
  fi
}

# The JDK in use: JAVA_HOME if it is set, else the one whose javac is on PATH.
find_jdk() {
  if [ -n "${JAVA_HOME:-}" ] && [ -x "$JAVA_HOME/bin/javac" ]; then
    jdk=$JAVA_HOME
  elif command -v javac >/dev/null; then
    jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
  else
    jdk=
  fi
}

java_major() { "$jdk/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p'; }

missing=()
packages=()
need() { missing+=("$1"); packages+=("$2"); }

# Fills `missing` with every prerequisite that is not there, so that a user learns of all at once.
find_missing() {
  missing=() packages=()
  find_jdk
  if [ -z "$jdk" ] || [ "$(java_major)" -lt 17 ]; then need "a JDK, 17 or later" openjdk-17-jdk-headless; fi
  command -v mvn >/dev/null || need "Maven, 3.6.3 or later" maven
  command -v cmake >/dev/null || need "CMake, 3.18 or later" cmake
  command -v ninja >/dev/null || need "Ninja" ninja-build
  command -v g++ >/dev/null || need "g++, 11 or later" g++
  # The header of the native tests: no build needs it, so it is installed with the rest but never missed.
  if [ "$install_deps" = yes ] && [ ! -f /usr/include/doctest/doctest.h ]; then packages+=(doctest-dev); fi
  if [ "$cuda" = yes ] && [ "$toolkit" = pypi ] && ! python3 -m pip --version >/dev/null 2>&1; then
    need "Python 3 with pip (for --cuda-toolkit pypi)" python3-pip
  fi
}

check_prerequisites() {
  find_missing
  if [ ${#packages[@]} -gt 0 ] && [ "$install_deps" = yes ]; then
    command -v apt-get >/dev/null || fail 5 "--install-deps needs apt-get; install by hand: ${missing[*]}"
    local as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    say "installing ${packages[*]}"
    "${as_root[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${packages[@]}" >&2
    find_missing
  fi
  if [ ${#missing[@]} -gt 0 ]; then
    for item in "${missing[@]}"; do say "missing: $item"; done
    fail 5 "on Debian or Ubuntu: apt-get install ${packages[*]}   (or run ./install.sh --install-deps)"
  fi
  if [ "$cuda" = yes ]; then find_nvcc; fi
}

find_nvcc() {
  if [ "$toolkit" = pypi ]; then
    local target=$source_dir/native/build/cuda-toolkit
    if [ ! -x "$target/nvidia/cu13/bin/nvcc" ]; then
      say "fetching the CUDA toolkit from the Python package index"
      python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-deps --target "$target" \
        "${pypi_toolkit[@]}" >&2
    fi
    nvcc=$target/nvidia/cu13/bin/nvcc
    return
  fi
  local candidate
  for candidate in "$(command -v nvcc || true)" "${CUDA_HOME:-/nonexistent}/bin/nvcc" /usr/local/cuda/bin/nvcc; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then nvcc=$candidate; return; fi
  done
  fail 5 "no nvcc found for the CUDA library: install the CUDA toolkit (12.8 or later), set CUDA_HOME, add \
--cuda-toolkit pypi to fetch one, or --no-cuda to do without"
}

# Compute capabilities of the GPUs in this machine, as CMake wants them; empty if the driver does not tell.
detected_architectures() {
  command -v nvidia-smi >/dev/null || return 0
  nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d '. ' | sort -un | paste -sd ';' -
}

build_native() {
  local options=(-DCMAKE_BUILD_TYPE=Release -DCUZK_TESTS=OFF)
  if [ "$cuda" = yes ]; then
    [ -f "$source_dir/native/cuda/CMakeLists.txt" ] || fail 5 "this source tree has no CUDA library; use --no-cuda"
    [ -n "$cuda_architectures" ] || cuda_architectures=$(detected_architectures)
    options+=(-DCUZK_CUDA=ON "-DCMAKE_CUDA_COMPILER=$nvcc")
    [ -z "$cuda_architectures" ] || options+=("-DCMAKE_CUDA_ARCHITECTURES=$cuda_architectures")
  else
    options+=(-DCUZK_CUDA=OFF)
  fi
  say "building the native libraries"
  cmake -S "$source_dir/native" -B "$source_dir/native/build" -G Ninja "${options[@]}" >&2
  cmake --build "$source_dir/native/build" -j "$jobs" >&2
}

build_java() {
  local commit
  commit=$(git -C "$source_dir" rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
  say "building the Java part"
  JAVA_HOME=$jdk mvn -q -B -f "$source_dir/pom.xml" -DskipTests -Dexec.skip=true "-Dcuzk.build=$commit" package >&2
}

# Fills a folder with everything that runs: jars, native libraries (JNA's and JCuda's unpacked), man pages, launcher.
stage() {
  local target=$1 jar driver
  mkdir -p "$target/native" "$target/lib"
  cp "$source_dir/cli/target/cuzk.jar" "$target/cuzk.jar"
  cp "$source_dir"/cli/target/lib/*.jar "$target/lib/"
  cp "$source_dir"/native/build/libcuzk-*-"$version".so "$target/native/"
  jar=$(echo "$target"/lib/jna-[0-9]*.jar)
  unzip_entry "$jar" com/sun/jna/linux-x86-64/libjnidispatch.so "$target/native/libjnidispatch.so"
  for jar in "$target"/lib/jcuda-natives-*linux-x86_64.jar; do
    [ -e "$jar" ] || continue
    driver=$(basename "${jar/jcuda-natives/libJCudaDriver}" .jar).so # The version is the POM's.
    unzip_entry "$jar" "lib/$driver" "$target/native/$driver"
    rm "$jar"
  done
  cp "$source_dir/scripts/launcher.sh" "$target/launcher.sh"
  cp "$source_dir/LICENSE" "$target/LICENSE"
}

# `jar x` always works where a JDK is; unzip may be absent.
unzip_entry() {
  local scratch
  scratch=$(mktemp -d)
  (cd "$scratch" && "$jdk/bin/jar" xf "$1" "$2")
  install -m 755 "$scratch/$2" "$3"
  rm -rf "$scratch"
}

# Class-data sharing: one archive over the classes that the usual commands load. Without it everything works, slower.
make_archive() {
  local target=$1 java=$2 scratch sample=$source_dir/testdata/quickstart count=0 options
  read -ra options <<<"$("$target/launcher.sh" --print-jvm-options)"
  scratch=$(mktemp -d)
  record() {
    count=$((count + 1))
    CUZK_JAVA=$java CUZK_JAVA_OPTIONS="-Xshare:off -XX:DumpLoadedClassList=$scratch/list-$count" \
      "$target/launcher.sh" "$@" >"$scratch/out" 2>&1 || { say "warning: training run '$*' failed:"; cat "$scratch/out" >&2; }
  }
  record --version
  record --help
  record prove --gpus none --out "$scratch/run" "$sample/input.bin"
  record verify "$scratch/run"
  record verify --vk "$sample/verification_key.json" "$sample/proof.json" "$sample/public.json"
  record inspect "$sample/input.bin"
  cat "$scratch"/list-* | awk '!/^#/ && !seen[$0]++' >"$scratch/classes"
  if ! "$java" -Xshare:dump -XX:SharedClassListFile="$scratch/classes" -XX:SharedArchiveFile="$target/cuzk.jsa" \
    "${options[@]}" -cp "$target/cuzk.jar" >"$scratch/dump" 2>&1; then
    say "warning: no class-data sharing archive could be made; commands start slower"
    rm -f "$target/cuzk.jsa"
  fi
  rm -rf "$scratch"
}

refuse_foreign() {
  local existing=$prefix/bin/$name
  if [ -e "$existing" ] || [ -L "$existing" ]; then
    if [ "$(readlink "$existing")" != "../lib/$name/launcher.sh" ] || [ ! -f "$home_dir/installed-by-cuzk" ]; then
      fail 9 "$existing was not installed by this script and is left alone; choose another --prefix, or --name NAME"
    fi
  fi
  if [ -e "$home_dir" ] && [ ! -f "$home_dir/installed-by-cuzk" ]; then
    fail 9 "$home_dir was not installed by this script and is left alone; choose another --prefix, or --name NAME"
  fi
}

warn_other_command() {
  local other
  other=$(command -v "$name" || true)
  if [ -z "$other" ]; then
    case :$PATH: in *":$prefix/bin:"*) ;; *) say "note: $prefix/bin is not on PATH" ;; esac
  elif [ "$(readlink -f "$other")" != "$(readlink -f "$prefix/bin/$name")" ]; then
    say "warning: another $name is on PATH before this one: $other"
  fi
}

install_under_prefix() {
  refuse_foreign
  local fresh folder
  for folder in "$prefix/bin" "$prefix/lib"; do
    mkdir -p "$folder" 2>/dev/null || fail 9 "cannot make the folder $folder"
    [ -w "$folder" ] || fail 9 "cannot write into $folder"
  done
  fresh=$(mktemp -d "$prefix/lib/.$name-XXXXXX")
  chmod 755 "$fresh"
  trap 'rm -rf "$fresh"' EXIT
  stage "$fresh"
  # The archive records the class path, so it is made in the final place.
  rm -rf "$home_dir"
  mv "$fresh" "$home_dir"
  trap - EXIT
  printf '%s\n' "$version" >"$home_dir/installed-by-cuzk"
  ln -sfn "../lib/$name/launcher.sh" "$prefix/bin/$name"
  make_archive "$home_dir" "$jdk/bin/java"
  printf '%s\n' "$jdk/bin/java" >"$home_dir/java"
  install_documents
  warn_other_command
  say "installed cuzk $version: $prefix/bin/$name"
}

install_documents() {
  local page base
  mkdir -p "$prefix/share/man/man1"
  for page in "$source_dir"/man/*.1; do
    [ -e "$page" ] || continue
    base=$(basename "$page")
    install -m 644 "$page" "$prefix/share/man/man1/$name${base#cuzk}"
    printf '%s\n' "$prefix/share/man/man1/$name${base#cuzk}" >>"$home_dir/installed-files"
  done
  mkdir -p "$prefix/share/bash-completion/completions"
  if "$home_dir/launcher.sh" completion bash >"$home_dir/completion" 2>/dev/null; then
    install -m 644 "$home_dir/completion" "$prefix/share/bash-completion/completions/$name"
    printf '%s\n' "$prefix/share/bash-completion/completions/$name" >>"$home_dir/installed-files"
  fi
  rm -f "$home_dir/completion"
}

uninstall() {
  [ -f "$home_dir/installed-by-cuzk" ] || fail 9 "nothing under $prefix was installed by this script as $name"
  refuse_foreign
  if [ -f "$home_dir/installed-files" ]; then
    while IFS= read -r file; do rm -f "$file"; done <"$home_dir/installed-files"
  fi
  rm -f "$prefix/bin/$name"
  rm -rf "$home_dir"
  say "removed $prefix/bin/$name"
}

make_bundle() {
  local folder=cuzk-$version-linux-x86_64 dist=$source_dir/dist modules
  rm -rf "${dist:?}/$folder"
  mkdir -p "$dist"
  stage "$dist/$folder"
  # java.base and what the dependencies touch: Jackson names java.sql's and java.xml's types, JNA java.desktop's only
  # for AWT windows (not used), the management beans read the cgroup's limits.
  modules=java.base,java.logging,java.management,java.sql,java.xml,jdk.unsupported,jdk.management,jdk.crypto.ec
  # jlink's own compression is left off: gzip over the whole does better (9.8 MB of modules instead of 13.8).
  "$jdk/bin/jlink" --add-modules "$modules" --strip-debug --no-header-files --no-man-pages \
    --output "$dist/$folder/runtime" >&2
  mkdir -p "$dist/$folder/bin" "$dist/$folder/share/man/man1"
  ln -s ../launcher.sh "$dist/$folder/bin/cuzk"
  cp "$source_dir"/man/*.1 "$dist/$folder/share/man/man1/" 2>/dev/null || true
  tar -C "$dist" --owner=0 --group=0 --numeric-owner --sort=name --mtime="2026-01-01 00:00Z" -cf - "$folder" |
    gzip -9n >"$dist/$folder.tar.gz"
  rm -rf "${dist:?}/$folder"
  say "made dist/$folder.tar.gz ($(du -h "$dist/$folder.tar.gz" | cut -f1))"
}

parse_arguments "$@"
if [ "$action" = uninstall ]; then
  uninstall
  exit 0
fi
check_prerequisites
[ "$action" = bundle ] || refuse_foreign
build_native
build_java
case $action in
  install) install_under_prefix ;;
  bundle) make_bundle ;;
esac
