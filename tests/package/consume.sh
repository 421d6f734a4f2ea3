#!/usr/bin/env bash
# usage: consume.sh BUILD EXAMPLES GENERATOR
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/prefix" >"$work/log"
"$work/prefix/bin/rafter" --version
cp -r "$2" "$work/consumer"  # away from the source tree: nothing of it may be needed
cmake -S "$work/consumer" -B "$work/build" -G "$3" -DCMAKE_PREFIX_PATH="$work/prefix" >>"$work/log" || { cat "$work/log"; exit 1; }
cmake --build "$work/build" >>"$work/log" || { cat "$work/log"; exit 1; }
out=$("$work/build/sums")
echo "$out"
grep -q 'the sum is 500000500000' <<<"$out"
