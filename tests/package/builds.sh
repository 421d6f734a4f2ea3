#!/usr/bin/env bash
# usage: builds.sh, in the source tree. Takes minutes: a part of ./rafter test --nightly.
# Builds and installs the library with g++ and Clang, static and shared. The examples and a program that forks (loader.cpp)
# are compiled against each by both compilers under strict warnings, and run. A shared object exports only what is marked
# RAFTER_API.
set -eu
sources=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor -Werror"

source tests/package/exports.sh

# Public functions: ops, whose classes are marked RAFTER_API, and free functions of the namespace. Everything else in it is
# a member of an exported class.
ops=$(grep -hoE 'RAFTER_API [A-Z][A-Za-z]+' include/rafter/*.hpp | cut -d' ' -f2 | sort -u | paste -sd '|')
public_functions() {
  nm -C --defined-only "$@" 2>/dev/null | grep -E " [TW] rafter::v1::(detail::($ops)<.*>::operator\(\)|[a-z_]+\()" | cut -c20- | sort -u
}

# use PREFIX BUILD COMPILER: builds the examples with find_package, and loader.cpp with pkg-config, and runs them.
use() {
  local prefix=$1 build=$2 compiler=$3 flags
  # Warnings count in the library's headers, too.
  cmake -S "$sources/examples" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_CXX_FLAGS="$warnings" -DCMAKE_NO_SYSTEM_FROM_IMPORTED=ON >"$work/log" 2>&1 || { cat "$work/log"; fail "configure the examples"; }
  ninja -v -C "$build" >"$work/log" 2>&1 || { tail -n 60 "$work/log"; fail "build the examples"; }
  if grep -q -- -fopenmp "$work/log"; then fail "users are compiled with OpenMP"; fi
  "$build/sums" | grep -q 'the sum is 500000500000' || fail sums
  "$build/c_sums" | grep -q 'the sum is 500000500000' || fail c_sums
  "$build/analytics" 100000 | grep -q 'the answers agree' || fail analytics
  "$build/heat" 100 3 "$build/frame" | grep -q 'the plate kept its heat' || fail heat
  [ "$(head -c 14 "$build/frame_2.pgm" | tr '\n' ' ')" = 'P5 100 100 255' ] || fail "the pictures of heat"
  "$build/sobel" | grep -q 'the pipeline agrees' || fail sobel
  "$build/dynamics" 2 200 | grep -q 'meV per atom' || fail dynamics

  flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name rafter.pc)") pkg-config --cflags --libs rafter)
  # shellcheck disable=SC2086
  $compiler -std=c++20 $warnings -o "$build/loader" "$sources/tests/package/loader.cpp" $flags "-Wl,-rpath,$(dirname "$(find "$prefix" -name "librafter.*" -print -quit)")" \
    >"$work/log" 2>&1 || { cat "$work/log"; fail "build loader"; }
  RAFTER_NUM_THREADS=4 timeout 120 "$build/loader" | grep -q 'all batches agree' || fail "loader: children of fork()"
}

for compiler in g++ clang++; do
  other=clang++
  [ $compiler = clang++ ] && other=g++
  command -v $compiler >/dev/null && command -v $other >/dev/null || { echo "skipped: no $compiler or $other"; continue; }
  for shared in OFF ON; do
    echo "--- $compiler, BUILD_SHARED_LIBS=$shared"
    build=$work/$compiler-$shared prefix=$work/prefix-$compiler-$shared
    cmake -S "$sources" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=$compiler -DBUILD_SHARED_LIBS=$shared -DRAFTER_TOOL=OFF \
      -DRAFTER_TESTS=OFF -DRAFTER_EXAMPLES=OFF -DRAFTER_ISA_LEVELS=native >"$work/log" 2>&1 || { cat "$work/log"; fail configure; }
    ninja -C "$build" >"$work/log" 2>&1 || { tail -n 60 "$work/log"; fail build; }
    cmake --install "$build" --prefix "$prefix" >"$work/log"
    if [ $shared = ON ]; then
      public_functions -D "$prefix"/lib*/librafter*.so >"$work/exported"
      [ -z "$(comm -13 "$work/exported" "$work/public")" ] || fail "not exported: $(comm -13 "$work/exported" "$work/public")"
      for object in "$prefix"/lib*/lib*.so "$prefix"/lib*/*/lib*.so; do [ ! -e "$object" ] || check_exports "$object"; done
    fi
    if [ $shared = OFF ]; then
      public_functions "$prefix"/lib*/librafter*.a >"$work/public"
      grep -q 'rafter::v1::detail::Sum<double>' "$work/public" || fail "the list of public functions lacks sum"
    fi
    for user in $compiler $other; do use "$prefix" "$build-$user" $user; done
  done
done
echo "the library works in all builds"
