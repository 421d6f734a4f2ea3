#!/usr/bin/env bash
# The launcher's messages, with fake commands for apt-get, id, g++, cmake and ninja: nothing is installed or built.
set -u
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n_failed=0
expect() { # NAME CODE TEXT: the last call exited with CODE and printed TEXT
  if [ "$code" != "$2" ] || ! grep -qF -- "$3" "$work/out"; then
    echo "FAILED $1: exit code $code, expected $2 and '$3'; it said:"; cat "$work/out"; n_failed=$((n_failed + 1))
  fi
}

# A machine without a compiler: only these commands exist.
bare=$work/bare
mkdir -p "$bare" "$work/checkout"
for command in bash env dirname grep head mktemp mkdir rm tr touch sed cat awk find chmod tail; do ln -s "$(command -v $command)" "$bare/"; done
cp "$root/rafter" "$work/checkout/"
fake() { printf '#!/bin/bash\n%s\n' "$2" >"$bare/$1"; chmod +x "$bare/$1"; }
launch() { (cd "$work" && env -i HOME="$work" PATH="$bare" "$@" ./checkout/rafter "${words[@]}") >"$work/out" 2>&1 </dev/null; code=$?; }

words=(list)
fake id 'echo 1000'
launch
expect "no apt-get" 2 "missing: g++ cmake ninja-build libfmt-dev"
words=(--help)
launch
expect "--help without a compiler" 0 "./rafter test --nightly"
words=(list)

fake apt-get 'echo "$@" >>"$HOME/apt-calls"; exit 0'
launch
expect "not root, no sudo" 2 "as root, run: apt-get update && apt-get install -y --no-install-recommends g++ cmake"

fake sudo 'exit 1'
launch
expect "sudo needs a password and there is no terminal" 2 "as root, run: apt-get update"
[ ! -e "$work/apt-calls" ] || { echo "FAILED: apt-get was called without being root"; n_failed=$((n_failed + 1)); }

rm "$bare/sudo"
fake id 'echo 0'
launch
grep -q ' update$' "$work/apt-calls" && grep -q '^install -y .*libfmt-dev' "$work/apt-calls" ||
  { echo "FAILED: as root apt-get should update and install"; cat "$work/apt-calls"; n_failed=$((n_failed + 1)); }

rm -rf "$work/checkout/build"
fake apt-get 'echo "E: Unable to locate package g++" >&2; exit 100'
launch
expect "apt-get fails" 2 "E: Unable to locate package g++"

# Optional packages are never a reason to stop: with a compiler that finds the required headers alone, the build goes on.
fake g++ 'while read -r line; do case $line in *fmt/*|*nlohmann*|*CLI*) exit 0 ;; esac; done; exit 1'
fake cmake 'touch "$HOME/checkout/build/release/build.ninja"'
fake ninja 'printf "#!/bin/bash\necho rafter \"\$@\"\n" >"$2/rafter"; chmod +x "$2/rafter"'
launch RAFTER_CUDA=off
expect "optional packages without a network" 0 "rafter list"
expect "optional packages are named" 0 "libcairo2-dev (plots and pictures)"
[ "$(grep -c '^rafter: optional' "$work/out")" = 1 ] || { echo "FAILED: optional packages take one line"; n_failed=$((n_failed + 1)); }
launch RAFTER_CUDA=off
grep -q optional "$work/out" && { echo "FAILED: optional packages are named once"; n_failed=$((n_failed + 1)); }
words=(test)
launch RAFTER_CUDA=off
expect "tests need GoogleTest" 2 "missing: libgtest-dev"
words=(list)
rm "$bare/g++" "$bare/cmake" "$bare/ninja"
rm -rf "$work/checkout/build"

launch RAFTER_CUDA=maybe
expect "bad RAFTER_CUDA" 2 "RAFTER_CUDA must be on, off or auto, is 'maybe'"
if [ ! -x /usr/local/cuda/bin/nvcc ]; then
  launch RAFTER_CUDA=on
  expect "CUDA without nvcc" 2 "there is no nvcc"
fi

# A checkout that was moved: its build folder belongs to another path and is deleted.
mkdir -p "$work/checkout/build/release"
echo 'CMAKE_HOME_DIRECTORY:INTERNAL=/somewhere/else' >"$work/checkout/build/release/CMakeCache.txt"
touch "$work/checkout/build/release/.packages" "$work/checkout/build/release/build.ninja"
fake cmake 'echo "CMake Error at CMakeLists.txt:1: a reason"; exit 1'
launch RAFTER_CUDA=off
expect "a moved checkout is configured again" 2 "CMake Error at CMakeLists.txt:1: a reason"

if [ $n_failed != 0 ]; then echo "$n_failed failed"; exit 1; fi
echo "all messages right"
