#!/usr/bin/env bash
# The launcher's messages, with stand-ins for apt-get and id: nothing is installed.
set -u
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n_failed=0
expect() { # NAME CODE TEXT: the last call ended with CODE and said TEXT
  if [ "$code" != "$2" ] || ! grep -qF -- "$3" "$work/out"; then
    echo "FAILED $1: exit code $code, expected $2 and '$3'; it said:"; cat "$work/out"; n_failed=$((n_failed + 1))
  fi
}

# A machine without a compiler: only these commands exist.
bare=$work/bare
mkdir -p "$bare" "$work/checkout"
for command in bash env dirname grep head mktemp mkdir rm tr touch sed cat awk; do ln -s "$(command -v $command)" "$bare/"; done
cp "$root/rafter" "$work/checkout/"
stand_in() { printf '#!/bin/bash\n%s\n' "$2" >"$bare/$1"; chmod +x "$bare/$1"; }
launch() { (cd "$work" && env -i HOME="$work" PATH="$bare" "$@" ./checkout/rafter list) >"$work/out" 2>&1 </dev/null; code=$?; }

stand_in id 'echo 1000'
launch
expect "no apt-get" 2 "missing: g++ cmake ninja-build libfmt-dev"

stand_in apt-get 'echo "$@" >>"$HOME/apt-calls"; exit 0'
launch
expect "not root, no sudo" 2 "as root, run: apt-get update && apt-get install -y --no-install-recommends g++ cmake"

stand_in sudo 'exit 1'
launch
expect "sudo wants a password and nobody is there" 2 "run: sudo apt-get update && sudo apt-get install"
[ ! -e "$work/apt-calls" ] || { echo "FAILED: apt-get was called without being root"; n_failed=$((n_failed + 1)); }

rm "$bare/sudo"
stand_in id 'echo 0'
launch
grep -q '^update$' "$work/apt-calls" && grep -q '^install -y .*libfmt-dev' "$work/apt-calls" ||
  { echo "FAILED: as root apt-get should update and install"; cat "$work/apt-calls"; n_failed=$((n_failed + 1)); }

rm -rf "$work/checkout/build"
stand_in apt-get 'echo "E: Unable to locate package g++" >&2; exit 100'
launch
expect "apt-get fails" 2 "E: Unable to locate package g++"

launch RAFTER_CUDA=maybe
expect "bad RAFTER_CUDA" 2 "RAFTER_CUDA must be on, off or auto, is 'maybe'"
if [ ! -x /usr/local/cuda/bin/nvcc ]; then
  launch RAFTER_CUDA=on
  expect "CUDA without nvcc" 2 "there is no nvcc"
fi

# A checkout that was moved: its build folder belongs to another place and is made anew.
mkdir -p "$work/checkout/build/release"
echo 'CMAKE_HOME_DIRECTORY:INTERNAL=/somewhere/else' >"$work/checkout/build/release/CMakeCache.txt"
touch "$work/checkout/build/release/.packages" "$work/checkout/build/release/build.ninja"
stand_in cmake 'echo "CMake Error at CMakeLists.txt:1: a reason"; exit 1'
launch RAFTER_CUDA=off
expect "a moved checkout is configured again" 2 "CMake Error at CMakeLists.txt:1: a reason"

if [ $n_failed != 0 ]; then echo "$n_failed failed"; exit 1; fi
echo "all messages right"
