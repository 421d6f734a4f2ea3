#!/usr/bin/env bash
# usage: builds.sh, in the source tree. Takes minutes: a part of ./rafter test --nightly.
# Builds and installs the library with g++ and Clang, static and shared. The examples are compiled against each by the
# other compiler under strict warnings, and run. A shared object exports only what is marked RAFTER_API.
set -eu
sources=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor -Werror"

check_exports() {
  local object=$1 names
  names=$(nm -DC --defined-only "$object" | cut -d' ' -f3-)
  grep -q . <<<"$names" || fail "$object exports nothing"
  if [[ $object = *librafter_c.* ]]; then  # functions of rafter.h and the name of their version
    if grep -vE '^(rafter_[a-z_]+@@)?RAFTER_1[.]0$' <<<"$names"; then fail "$object exports names that rafter.h lacks"; fi
    return
  fi
  if grep -vE '^((typeinfo|typeinfo name|vtable) for )?rafter::' <<<"$names"; then fail "$object exports names of others"; fi
  if grep -E 'rafter::(core|base|safetensors|[a-z_]*_ladder|lab)::' <<<"$names" | grep -vE '\(.*rafter::core' ; then
    fail "$object exports internal names"
  fi
  readelf -d "$object" | grep -q 'SONAME.*\.so\.[0-9]' || fail "$object has no version in its SONAME"
}

# Public functions: ops, and free functions of the namespace. Everything else in it is a member of an exported class.
public_functions() { nm -C --defined-only "$@" 2>/dev/null | grep -E ' [TW] rafter::(detail::[A-Za-z]+<.*>::operator\(\)|[a-z_]+\()' | cut -c20- | sort -u; }

for compiler in g++ clang++; do
  other=clang++
  [ $compiler = clang++ ] && other=g++
  command -v $compiler >/dev/null && command -v $other >/dev/null || { echo "skipped: no $compiler or $other"; continue; }
  for shared in OFF ON; do
    echo "--- $compiler, BUILD_SHARED_LIBS=$shared, examples by $other"
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
    [ $shared = ON ] || public_functions "$prefix"/lib*/librafter*.a >"$work/public"
    cmake -S "$sources/examples" -B "$build-use" -G Ninja -DCMAKE_CXX_COMPILER=$other -DCMAKE_PREFIX_PATH="$prefix" \
      -DCMAKE_CXX_FLAGS="$warnings" >"$work/log" 2>&1 || { cat "$work/log"; fail "configure the examples"; }
    ninja -v -C "$build-use" >"$work/log" 2>&1 || { tail -n 60 "$work/log"; fail "build the examples"; }
    if grep -q -- -fopenmp "$work/log"; then fail "users are compiled with OpenMP"; fi
    "$build-use/sums" | grep -q 'the sum is 500000500000' || fail sums
    "$build-use/c_sums" | grep -q 'the sum is 500000500000' || fail c_sums
    "$build-use/sobel" | grep -q 'the pipeline agrees' || fail sobel
    "$build-use/dynamics" 2 200 | grep -q 'meV per atom' || fail dynamics
  done
done
echo "the library works in all builds"
