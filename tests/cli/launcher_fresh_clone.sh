#!/usr/bin/env bash
# The launcher as a newcomer meets it: a copy of the sources in an empty folder, then ./rafter.
# A project of one file stands in for ours, which takes minutes: that ours builds from a clone is what CI shows.
set -u
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; cat "$work/out"; exit 1; }
export RAFTER_CUDA=off

mkdir "$work/rafter" && cd "$work/rafter" || exit 1
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
echo '#error only what the tool needs is built' >other.cpp

./rafter --version >"$work/out" 2>&1 </dev/null || fail "the first build"
grep -q '^rafter 1.2.3 --version$' "$work/out" || fail "the tool did not answer"
grep -q 'building (release)' "$work/out" || fail "nothing was said about building"
[ "$(wc -l <"$work/out")" -le 4 ] || fail "the first build was noisy"

./rafter --version >"$work/out" 2>&1 || fail "the second call"
[ "$(cat "$work/out")" = "$(./build/release/rafter --version)" ] || fail "the second call said more than the tool"

# Each command builds the program that performs it, and no other.
expect_built() { # WORDS... : PROGRAM
  local words=("${@:1:$#-1}") program=${*: -1}
  rm -f build/release/built_*
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
expect_built solve heat rafter-solve
expect_built classify --weights w --images x rafter-classify
expect_built score --model m --input x rafter-score
expect_built forces x.xyz --model m rafter-forces
expect_built test -L unit tests_unit

echo 'int broken( { return undeclared_name; }' >>tool.cpp
./rafter --version >"$work/out" 2>&1 && fail "a broken source built"
./rafter --version >"$work/out" 2>&1
[ $? = 2 ] || fail "a failed build should end with 2"
grep -q 'tool.cpp:[0-9]*:[0-9]*: error' "$work/out" || fail "the error's own line is missing"
grep -q -- '-Wall' "$work/out" && fail "the compiler's command line is noise"
sed -i '$d' tool.cpp
./rafter --version >"$work/out" 2>&1 || fail "mending the source"

./rafter build >"$work/out" 2>&1 && fail "everything was built, and one file is wrong"
grep -q 'other.cpp:1:2: error: #error only what the tool needs is built' "$work/out" || fail "the error of another target"
echo "a fresh clone works"
