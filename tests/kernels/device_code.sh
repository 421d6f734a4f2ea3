#!/usr/bin/env bash
# Compares the device code of an op with recorded facts, as nvcc compiles it for sm_90a without a GPU: for each kernel its
# registers, the bytes that spill, and how many multiplications and additions of floats are fused or could still be. Where
# bits must agree between kernels (edges and forcefield: squared lengths), products are written so that they are not fused.
# A kernel with traps is named, too: nvcc compiles a read of a host's array, as of a constexpr std::array at an index that
# it does not know, to a trap, without a warning.
#
#   device_code.sh ROOT BUILD SOURCE [--update]     SOURCE is a path below kernels/, as edges/edges_cuda
#
# Facts are in device_code/NAME.txt. --update records them again, for a change that is meant; the difference belongs into
# the commit's body. Registers and spills depend on the compiler's version, which the file names: another version compares
# the fused operations alone.
set -e -u -o pipefail
root=$1 build=$2 source=$3
name=$(basename "$source")
recorded=$root/tests/kernels/device_code/$name.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')

# The launcher of CI may ask nvcc for less optimisation; these facts are about all of it.
env -u NVCC_APPEND_FLAGS -u NVCC_PREPEND_FLAGS nvcc -ptx -std=c++20 -arch=sm_90a --expt-relaxed-constexpr \
  -I"$root/src" -I"$root/kernels" -I"$root/include" -I"$build/include" -o "$work/code.ptx" "$root/kernels/$source.cu"
ptxas -v -arch=sm_90a -o "$work/code.cubin" "$work/code.ptx" 2>"$work/resources"

# nvcc's names of anonymous namespaces contain a hash of the file's path.
sed -E -i 's/[0-9]+_GLOBAL__N__[0-9a-f]{8}_[0-9]+_[A-Za-z0-9_]+_cu_[0-9a-f]{8}/anonymous/g' "$work/code.ptx" "$work/resources"
# Registers and spilled bytes of each kernel come from ptxas, the operations of its body from the PTX.
awk '
  /Compiling entry function/ { match($0, /\047[^\047]*\047/); kernel = substr($0, RSTART + 1, RLENGTH - 2) }
  /spill stores/ { spilled[kernel] = $5 + $9 }
  /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); registers[kernel] = substr($0, RSTART + 5, RLENGTH - 5) }
  FILENAME ~ /[.]ptx$/ && /[.]entry/ { match($0, /entry [^(]*/); body = substr($0, RSTART + 6, RLENGTH - 6); sub(/ *$/, "", body) }
  FILENAME ~ /[.]ptx$/ && /^[ \t]*fma[.]rn[.]f(32|64)/ { ++fused[body] }
  FILENAME ~ /[.]ptx$/ && /^[ \t]*mul[.]f(32|64)/ { ++fusible[body] }
  FILENAME ~ /[.]ptx$/ && /^[ \t]*trap;/ { traps[body] = " traps " ++n_traps[body] }
  END {
    for (kernel in registers)
      print kernel, "registers", registers[kernel], "spilled", spilled[kernel] + 0, "fma", fused[kernel] + 0, "mul", fusible[kernel] + 0 traps[kernel]
  }' "$work/resources" "$work/code.ptx" | LC_ALL=C sort >"$work/facts"
[ -s "$work/facts" ] || { echo "$source: nvcc compiled no kernel"; exit 1; }

if [ "${4:-}" = --update ]; then
  { echo "nvcc $version"; cat "$work/facts"; } >"$recorded"
  echo "recorded $(wc -l <"$work/facts") kernels in $recorded"
  exit
fi
[ -f "$recorded" ] || { echo "no facts are recorded for $source: run $0 $root $build $source --update"; exit 1; }
comparable=cat
if [ "$(head -n 1 "$recorded")" != "nvcc $version" ]; then
  echo "recorded with $(head -n 1 "$recorded"), compared with nvcc $version: fused operations only"
  comparable='sed s/registers.[0-9]*.spilled.[0-9]*//'
fi
if ! diff <(tail -n +2 "$recorded" | $comparable) <($comparable <"$work/facts"); then
  echo "the device code of $source changed (< recorded, > now); if that is meant: $0 $root $build $source --update"
  exit 1
fi
echo "$(wc -l <"$work/facts") kernels as recorded"
