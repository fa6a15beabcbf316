#!/bin/sh
# Starts cuzk: finds its own folder and a Java, says which streams are terminals, and becomes the JVM.
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=${self%/*}/$link ;;
  esac
done
home=$(CDPATH='' cd -- "$(dirname -- "$self")" && pwd -P) || exit 70

# The bundle's runtime; else what the caller asks for; else the Java of the installation; else JAVA_HOME and PATH.
if [ -x "$home/runtime/bin/java" ]; then
  java=$home/runtime/bin/java
elif [ -n "$CUZK_JAVA" ]; then
  java=$CUZK_JAVA
elif [ -f "$home/java" ] && read -r java <"$home/java" && [ -x "$java" ]; then
  :
elif [ -n "$JAVA_HOME" ] && [ -x "$JAVA_HOME/bin/java" ]; then
  java=$JAVA_HOME/bin/java
elif command -v java >/dev/null 2>&1; then
  java=java
else
  echo "cuzk: error: no Java found. Install a Java 17 or later, or set JAVA_HOME." >&2
  exit 5
fi

# File names are bytes; a JVM in the C locale cannot name a non-ASCII one. A UTF-8 locale that is not installed (a
# LANG that ssh or a container passed on) is the C locale too, so all of them become the one that glibc always has.
case ${LC_ALL:-${LC_CTYPE:-$LANG}} in
  '' | C | POSIX | *.[Uu][Tt][Ff]-8* | *.[Uu][Tt][Ff]8*) export LC_ALL=C.UTF-8 ;;
esac

# Serial collection starts fastest, and the heap is small: large data lives outside it. Programs compiled from
# WebAssembly have methods above HotSpot's size limit for compilation, which is lifted.
collector=-XX:+UseSerialGC
options="-XX:-DontCompileHugeMethods -XX:-UsePerfData"
if [ "$1" = --print-jvm-options ]; then
  echo "$collector $options"
  exit 0
fi
# The command's name: what is no option, nor the value of one that may come before it.
command=$1 value=
for argument in "$@"; do
  case $value$argument in
    --color | --config | --progress) value=value: ;;
    value:* | -*) value= ;;
    *) command=$argument && break ;;
  esac
done
# Commands that are over before the optimizing compiler pays leave it out.
case $command in
  --version | --help | help | inspect | verify | export | devices | doctor | completion | report | circuit)
    last=
    for last in "$@"; do :; done
    # A folder may hold thousands of proofs to verify.
    [ "$command" = verify ] && [ -d "$last" ] || options="$options -XX:TieredStopAtLevel=1"
    ;;
  # The scalars of test keys lie on the heap: up to 13 GB, which one thread would copy from one part of it to another.
  bench | setup) collector=-XX:+UseParallelGC ;;
esac

# Twenty times the usual counts before a method is compiled by the optimizing compiler: with the usual ones a single proof
# spends half a second of processor time on compiling its own verification. Witness programs and test keys gain from the usual ones.
patience="-XX:Tier4InvocationThreshold=100000 -XX:Tier4MinInvocationThreshold=12000"
patience="$patience -XX:Tier4CompileThreshold=300000 -XX:Tier4BackEdgeThreshold=800000"
# Not what looks at every byte of a witness: SHA-256 has the processor's instructions in optimized code alone.
patience="$patience -XX:CompileCommand=quiet"
for method in 'sun.security.provider.SHA2*::*' 'sun.security.provider.DigestBase::*' 'dev.cuzk.format.ScalarRange::*'; do
  patience="$patience -XX:CompileCommand=CompileThresholdScaling,$method,0.05"
done
# Whether a witness program will run: one is named, or the first container or manifest among the inputs names one.
runs_program() {
  case " $* " in *" --wasm"*) return 0 ;; esac
  [ -z "$CUZK_WASM" ] || return 0
  for argument in "$@"; do
    case $argument in
      *.bin | *.json)
        [ -f "$argument" ] && head -c 65536 -- "$argument" 2>/dev/null | grep -qa circom-wasm
        return
        ;;
    esac
  done
  return 1
}
case $command in
  prove) runs_program "$@" || options="$options $patience" ;;
  bench | setup) ;;
  *) options="$options $patience" ;;
esac
options="$collector $options"

archive=-Xshare:auto
[ -f "$home/cuzk.jsa" ] && archive=-XX:SharedArchiveFile=$home/cuzk.jsa
[ -t 1 ] && stdout=true || stdout=false
[ -t 2 ] && stderr=true || stderr=false

# Word splitting of the two option strings is intended, file names in place of their stars are not.
set -f
# shellcheck disable=SC2086
exec "$java" $options "$archive" --enable-native-access=ALL-UNNAMED -Dfile.encoding=UTF-8 \
  -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 -Dsun.stdout.encoding=UTF-8 -Dsun.stderr.encoding=UTF-8 \
  -Djna.nounpack=true -Djna.nosys=true -Djna.platform.library.path=/usr/lib "-Djna.boot.library.path=$home/native" "-Dcuzk.library.path=$home/native" \
  "-Djava.library.path=$home/native" \
  "-Dcuzk.stdout.tty=$stdout" "-Dcuzk.stderr.tty=$stderr" $CUZK_JAVA_OPTIONS \
  -cp "$home/cuzk.jar" dev.cuzk.cli.Main "$@"
