#!/usr/bin/env bash
# The launcher as a newcomer meets it: a copy of the sources in an empty folder, then ./rafter.
set -u
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; cat "$work/out"; exit 1; }
export RAFTER_CUDA=off

mkdir "$work/rafter"
if git -C "$root" rev-parse >/dev/null 2>&1; then
  (cd "$root" && git ls-files -co --exclude-standard -z | tar --null -cT - --ignore-failed-read) | tar -xC "$work/rafter"
else
  tar -C "$root" --exclude ./build -c . | tar -xC "$work/rafter"
fi
cd "$work/rafter" || exit 1
# Three families are enough here, and minutes faster than all: the tool solves with heat, which begins with fill.
printf 'rafter_add_family(%s)\n' fill sum heat >kernels/CMakeLists.txt

./rafter --version >"$work/out" 2>&1 </dev/null || fail "the first build"
grep -q '^rafter [0-9]' "$work/out" || fail "the tool did not answer"
grep -q 'building (release)' "$work/out" || fail "nothing was said about building"
[ "$(wc -l <"$work/out")" -le 4 ] || fail "the first build was noisy"

./rafter --version >"$work/out" 2>&1 || fail "the second call"
[ "$(cat "$work/out")" = "$(./build/release/rafter --version)" ] || fail "the second call said more than the tool"

echo 'int broken( { return undeclared_name; }' >>src/cli/list.cpp
./rafter --version >"$work/out" 2>&1 && fail "a broken source built"
./rafter --version >"$work/out" 2>&1
[ $? = 2 ] || fail "a failed build should end with 2"
grep -q 'list.cpp:[0-9]*:[0-9]*: error' "$work/out" || fail "the error's own line is missing"
grep -q -- '-Wall' "$work/out" && fail "the compiler's command line is noise"
sed -i '$d' src/cli/list.cpp
./rafter --version >"$work/out" 2>&1 || fail "mending the source"
echo "a fresh clone works"
