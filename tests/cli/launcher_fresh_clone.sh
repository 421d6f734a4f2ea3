#!/usr/bin/env bash
# The launcher as a newcomer meets it: a copy of the sources in an empty folder, then ./rafter. The sources are a project
# of one file, because a build of Rafter takes minutes; CI builds Rafter itself from a clone.
set -u
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; cat "$work/out"; exit 1; }
export RAFTER_CUDA=off

mkdir -p "$work/rafter"/{cmake,include,src,kernels,tests,examples} && cd "$work/rafter" || exit 1
cp "$root/rafter" "$root/CMakePresets.json" .
cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(rafter LANGUAGES CXX)
option(RAFTER_CUDA "" ON)
if(RAFTER_CUDA)
  message(FATAL_ERROR "the preset was not used")
endif()
add_executable(rafter_tool tool.cpp)
target_compile_options(rafter_tool PRIVATE -Wall)
set_target_properties(rafter_tool PROPERTIES OUTPUT_NAME rafter)
foreach(program rafter-run rafter-bench rafter-load rafter-new rafter-plot rafter-report rafter-journal rafter-compare rafter-executor rafter-explain rafter-explain-rung rafter-trial rafter-solve rafter-classify rafter-score rafter-forces tests_unit)
  add_custom_target(${program} COMMAND ${CMAKE_COMMAND} -E touch built_${program} DEPENDS rafter_tool)
endforeach()
enable_testing()
add_executable(other other.cpp)
CMAKE
cat >tool.cpp <<'CPP'
#include <cstdio>
int main(int, char** words) { return std::printf("rafter 1.2.3 %s\n", words[1]) < 0; }
CPP
echo '#error only the tool is built' >other.cpp

./rafter --version >"$work/out" 2>&1 </dev/null || fail "the first build"
grep -q '^rafter 1.2.3 --version$' "$work/out" || fail "the tool did not answer"
grep -q 'building (release)' "$work/out" || fail "the launcher did not report the build"
[ "$(wc -l <"$work/out")" -le 4 ] || fail "the first build was noisy"

./rafter --version >"$work/out" 2>&1 || fail "the second call"
[ "$(cat "$work/out")" = "$(./build/release/rafter --version)" ] || fail "the second call printed more than the tool"

# Each command builds the program that performs it, and no other.
expect_built() { # WORDS... : PROGRAM
  local words=("${@:1:$#-1}") program=${*: -1}
  rm -rf build/release/built_* build/release/.built
  ./rafter "${words[@]}" >"$work/out" 2>&1 || [ "${words[0]}" = test ] || fail "./rafter ${words[*]}"
  [ "$(cd build/release && echo built_*)" = "built_$program" ] || fail "./rafter ${words[*]} should build $program only"
}
expect_built run rafter-run
expect_built run sum --device cpu --size 1000 rafter-run
expect_built run sum --device simt rafter-trial
expect_built run --device=simt rafter-trial
expect_built run sum --n 1,2 --plot sum.svg rafter-plot
expect_built run sum --n 1,2 --plot=sum.svg rafter-plot
expect_built bench my.cu --kernel k rafter-bench
expect_built tune my.cu --kernel k rafter-bench
expect_built tune --check rafter-run
expect_built tune --check --load mine rafter-load
expect_built run --load mine rafter-load
expect_built run --device=simt --load=mine rafter-load
expect_built run --load mine --plot mine.svg rafter-plot
expect_built show mine --load mine rafter-load
expect_built new workload mine rafter-new
expect_built plot r.json sum.svg rafter-plot
expect_built report a.json --out b.html rafter-report
expect_built run sum -m "as on simt, without --plot" rafter-run
expect_built journal start rafter-journal
expect_built journal export log.md rafter-journal
expect_built journal export log.html --journal x rafter-report
expect_built journal export --journal x log.html rafter-report
expect_built compare a.json b.json rafter-compare
expect_built list rafter-run
expect_built device --json rafter-run
expect_built check x.cu rafter-executor
expect_built profile x.cu rafter-executor
expect_built explain x.cu rafter-explain
expect_built explain Folder/x.cu --kernel k rafter-explain
expect_built explain heat textbook rafter-explain-rung
expect_built explain mine --load mine rafter-load
expect_built try sum my.cu rafter-trial
expect_built judge sum my.cu rafter-trial
expect_built solve heat rafter-solve
expect_built classify --weights w --images x rafter-classify
expect_built score --model m --input x rafter-score
expect_built forces x.xyz --model m rafter-forces
expect_built test -L unit tests_unit

# A current build is used as it is: nothing is written, and any user may run it.
chmod -R go+rX "$work"
snapshot() { find . -printf '%p %T@ %C@\n' | sort; }
as_nobody() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent "$@"; else "$@"; fi; }
./rafter list >"$work/out" 2>&1 || fail "./rafter list"
snapshot >"$work/before"
as_nobody ./rafter list >"$work/out" 2>&1 || fail "another user runs a current build"
[ "$(cat "$work/out")" = "rafter 1.2.3 list" ] || fail "another user's call printed more than the tool"
snapshot | cmp -s "$work/before" - || fail "a current build was written to"

# A build that is not current, in a checkout that cannot be written, goes to the user's cache.
if [ "$(id -u)" = 0 ]; then
  mkdir "$work/cache" && chmod 777 "$work/cache"
  touch src
  snapshot >"$work/before"
  as_nobody XDG_CACHE_HOME="$work/cache" ./rafter list >"$work/out" 2>&1 || fail "a read-only checkout"
  grep -q "cannot be written: building in $work/cache/rafter/builds/" "$work/out" || fail "the other folder is not named"
  grep -q '^rafter 1.2.3 list$' "$work/out" || fail "a read-only checkout: the tool did not answer"
  as_nobody XDG_CACHE_HOME="$work/cache" ./rafter list >"$work/out" 2>&1 || fail "a read-only checkout, again"
  [ "$(cat "$work/out")" = "rafter 1.2.3 list" ] || fail "the cached build printed more than the tool"
  snapshot | cmp -s "$work/before" - || fail "a read-only checkout was written to"
fi

# A build elsewhere is waited for with a message; not at all if the command's program is current.
./rafter list >"$work/out" 2>&1 || fail "./rafter list"
exec 8>build/release/.lock
flock 8
timeout 900 ./rafter list >"$work/out" 2>&1 || fail "a current program waited for a build"
touch src
./rafter list >"$work/out" 2>&1 8>&- &
waiting=$!
until grep -q 'waiting for another build' "$work/out"; do kill -0 $waiting 2>/dev/null || fail "no message about waiting"; done
flock -u 8
wait $waiting || fail "the build after waiting"
exec 8>&-

echo 'int broken( { return undeclared_name; }' >>tool.cpp
./rafter --version >"$work/out" 2>&1 && fail "a broken source built"
./rafter --version >"$work/out" 2>&1
[ $? = 2 ] || fail "a failed build should end with 2"
grep -q 'tool.cpp:[0-9]*:[0-9]*: error' "$work/out" || fail "the error's own line is missing"
grep -q -- '-Wall' "$work/out" && fail "the compiler's command line is noise"
sed -i '$d' tool.cpp
./rafter --version >"$work/out" 2>&1 || fail "mending the source"

./rafter build >"$work/out" 2>&1 && fail "everything was built, and one file is wrong"
grep -q 'other.cpp:1:2: error: #error only the tool is built' "$work/out" || fail "the error of another target"
echo "a fresh clone works"
