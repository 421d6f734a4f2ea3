#!/usr/bin/env bash
# usage: consume.sh BUILD EXAMPLES GENERATOR PROGRAM.cu
set -eu
work=$(mktemp -d)
# Uninstalling is tested at the end, and must not forget a real installation from this build.
mkdir "$work/manifests"
for manifest in "$1"/install_manifest*.txt; do [ ! -e "$manifest" ] || mv "$manifest" "$work/manifests"; done
trap 'mv "$work"/manifests/* "$1" 2>/dev/null || :; rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/prefix" >"$work/log"
"$work/prefix/bin/rafter" --version
mv "$work/prefix" "$work/elsewhere"  # the tool finds the installed executor relative to itself
"$work/elsewhere/bin/rafter" check "$4" | tee "$work/check"
grep -q 'nothing found in 1 kernel' "$work/check"
"$work/elsewhere/bin/rafter" list sum | grep -q chunked
"$work/elsewhere/bin/rafter" run sum --device simt --size 1000 --rungs last_block --json - | grep -q '"verified": true'
mv "$work/elsewhere" "$work/prefix"
cp -r "$2" "$work/consumer"  # outside of the source tree, which must not be needed
cmake -S "$work/consumer" -B "$work/build" -G "$3" -DCMAKE_PREFIX_PATH="$work/prefix" >>"$work/log" || { cat "$work/log"; exit 1; }
# One of each kind; builds.sh, for nightly runs, builds all of them.
cmake --build "$work/build" --target sums c_sums anomalies >>"$work/log" || { cat "$work/log"; exit 1; }
out=$("$work/build/sums")
echo "$out"
grep -q 'the sum is 500000500000' <<<"$out"
"$work/build/c_sums" | grep -q 'the sum is 500000500000'
out=$("$work/build/anomalies" "$work/model.safetensors")
echo "$out"
grep -q 'window 123 has the highest score' <<<"$out"
if [ -x "$1/examples/dynamics" ]; then
  out=$("$1/examples/sobel")
  echo "$out"
  grep -q 'the pipeline agrees' <<<"$out"
  out=$("$1/examples/dynamics" 2 200)
  echo "$out"
  grep -Eq 'the total drifts by -?0\.[0-9]+ meV per atom' <<<"$out"  # less than 1 meV
fi

# A user's workload, with the installed files only.
"$work/prefix/bin/rafter" new workload mine --folder "$work/mine"
package=$(sed -n 's/.*-Drafter_DIR=\([^ ]*\).*/\1/p' "$work/mine/README.md")
cmake -S "$work/mine" -B "$work/mine/build" -G "$3" -Drafter_DIR="$package" >>"$work/log" || { cat "$work/log"; exit 1; }
grep -q "^rafter_DIR:.*=$work/prefix/" "$work/mine/build/CMakeCache.txt"
cmake --build "$work/mine/build" >"$work/mine/log" 2>&1 || { cat "$work/mine/log"; exit 1; }
grep -q "warning:" "$work/mine/log" && { cat "$work/mine/log"; exit 1; }
ctest --test-dir "$work/mine/build" --output-on-failure --no-tests=error

# A project's own CUDA program, checked by CTest.
mkdir "$work/checked"
cp "$4" "$work/checked/program.cu"
cat >"$work/checked/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(checked CXX)
enable_testing()
find_package(rafter REQUIRED)
rafter_check_target(program SOURCES program.cu OPTIONS --junit ${CMAKE_BINARY_DIR}/program.xml)
END
cmake -S "$work/checked" -B "$work/checked/build" -G "$3" -DCMAKE_PREFIX_PATH="$work/prefix" >>"$work/log" || { cat "$work/log"; exit 1; }
ctest --test-dir "$work/checked/build" -L rafter_check --output-on-failure --no-tests=error
grep -q 'failures="0"' "$work/checked/build/program.xml"

# A program that finds the library with pkg-config.
if command -v pkg-config >/dev/null; then
  PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name rafter.pc)") pkg-config --cflags --libs rafter >"$work/flags"
  c++ -std=c++20 -o "$work/by_pkg_config" "$2/sums.cpp" $(cat "$work/flags")
  "$work/by_pkg_config" | grep -q 'the sum is 500000500000'
fi

# Man pages and completion.
for page in share/man/man1/rafter-run.1 share/bash-completion/completions/rafter; do
  [ -s "$work/prefix/$page" ] || { echo "FAILED: $page was not installed"; exit 1; }
done

# Uninstalling removes every file, and the folders that only Rafter uses.
cmake -P "$1/uninstall.cmake" >>"$work/log" 2>&1
left=$(find "$work/prefix" -type f -o -name rafter)
[ -z "$left" ] || { echo "FAILED: left after uninstalling: $left"; exit 1; }
