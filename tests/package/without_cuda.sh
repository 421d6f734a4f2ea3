#!/usr/bin/env bash
# usage: without_cuda.sh SOURCES
# In a build with CUDA: the files that would be others without it, or have other lines, still compile without it.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake -S "$1" -B "$work" -G Ninja -DRAFTER_CUDA=OFF -DRAFTER_TESTS=OFF -DRAFTER_UNITY=OFF >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
n=0
while IFS= read -r file; do
  # A line of compile_commands.json: "command": "c++ ... -o OBJECT -c FILE",
  command=$(sed -n 's|^ *"command": "\(.* -c '"$file"'\)",$|\1|p' "$work/compile_commands.json" | sed 's/\\\(.\)/\1/g' | head -n 1)
  [ -n "$command" ] || { echo "FAILED: $file is no part of a build without CUDA"; exit 1; }
  (cd "$work" && eval "$command -fsyntax-only") || exit 1
  n=$((n + 1))
done < <(find "$1/src" "$1/kernels" -name '*_absent.cpp' ! -path '*/solve/*' ! -path '*/draw/*'
         grep -rlE --include='*.cpp' 'RAFTER_WITH_CUDA|core::dispatch' "$1/src" "$1/kernels"
         echo "$1/kernels/sum/sum_workload.cpp")  # lab/cases/ladder.hpp
[ "$n" -ge 10 ] || { echo "FAILED: only $n files were found"; exit 1; }
echo "$n files compile without CUDA"
