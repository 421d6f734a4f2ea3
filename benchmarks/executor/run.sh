#!/usr/bin/env bash
# Measures the executor and prints one table: three kernels under Oclgrind and under rafter, then the costs of the executor
# per element, barrier, shuffle and checked access, then kernels without barriers compared with hand-written loops and
# with POCL.
#
#   benchmarks/executor/run.sh            everything; Oclgrind takes minutes
#   benchmarks/executor/run.sh loops      the last part only
#   RAFTER=path/to/rafter                 the tool (default: build/release/rafter, then build/cuda/rafter)
#   RAFTER_ROUNDS=5  OCLGRIND_ROUNDS=1    runs of each program; the median is shown
#   LOOP_ROUNDS=3                         alternating runs of the loops; the fastest launch is shown
set -u -o pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
rafter_rounds=${RAFTER_ROUNDS:-5}
oclgrind_rounds=${OCLGRIND_ROUNDS:-1}
kernels="block_reduction tiled_transpose five_point_stencil"
fail() { printf 'run.sh: %s\n' "$*" >&2; exit 2; }

rafter=${RAFTER:-}
for candidate in "$root/build/release/rafter" "$root/build/cuda/rafter"; do
  if [ -z "$rafter" ] && [ -x "$candidate" ]; then rafter=$candidate; fi
done
[ -n "$rafter" ] || fail "no rafter tool in build/; build it with ./rafter build, or set RAFTER"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cpu=$(lscpu 2>/dev/null | sed -n 's/^Model name: *//p' | head -1)
headline() {
  printf '%s, %s cores, %s, load %s\n' "${cpu:-unknown CPU}" "$(nproc)" "$(date -u +%Y-%m-%d)" "$(cut -d' ' -f1 /proc/loadavg)"
}
for action in exec check; do
  "$rafter" $action --nvcc-wrapper "$work/$action" >/dev/null || fail "cannot create the nvcc wrapper"
done

# ---- loops ----

# Prints the fastest of a kernel's launches, or a dash if there was none.
fastest() { awk -v name="$2" '$1 == name && (!best || $2 < best) { best = $2 } END { print best ? 1000 * best : "-" }' "$work/$1"; }
over() { awk -v a="$1" -v b="$2" 'BEGIN { if (a == "-" || b == "-") print "-"; else printf "%.2fx", a / b }'; }

loops() {
  local pocl="" kernel hand ours theirs
  "$work/exec/bin/nvcc" "$here/loops.cu" -o "$work/loops" || fail "cannot build loops.cu"
  g++ -std=c++17 -O3 -march=native -fopenmp "$here/loops_by_hand.cpp" -o "$work/by_hand" || fail "cannot build loops_by_hand.cpp"
  g++ -std=c++17 -O2 "$here/loops_opencl.cpp" -o "$work/loops_opencl" -lOpenCL 2>"$work/errors" && pocl=yes
  : >"$work/hand.out" && : >"$work/ours.out" && : >"$work/pocl.out"
  for ((i = 0; i < ${LOOP_ROUNDS:-3}; ++i)); do
    "$work/by_hand" >>"$work/hand.out"
    "$rafter" exec "$work/loops" >>"$work/ours.out" || fail "loops.cu failed"
    [ -z "$pocl" ] || "$work/loops_opencl" "$here/loops.cl" >>"$work/pocl.out" 2>"$work/errors" || pocl=""
  done
  [ -n "$pocl" ] || echo 'without POCL (Debian: apt-get install pocl-opencl-icd ocl-icd-opencl-dev)'
  printf '%-15s %12s %12s %12s   %11s %11s\n' 'plain, all cores' 'by hand' rafter POCL 'over hand' 'over POCL'
  for kernel in multiply_add stencil black_scholes nbody mandelbrot; do
    hand=$(fastest hand.out $kernel) ours=$(fastest ours.out $kernel) theirs=$(fastest pocl.out $kernel)
    printf '  %-14s %9.2f ms %9.2f ms %9s ms   %11s %11s\n' $kernel "$hand" "$ours" \
      "$([ "$theirs" = - ] && echo - || printf %.2f "$theirs")" "$(over "$ours" "$hand")" "$(over "$ours" "$theirs")"
  done
  printf 'by hand: OpenMP, g++ -O3 -march=native. The fastest of %s launches each, in turns.\n' $((15 * ${LOOP_ROUNDS:-3}))
}
if [ "${1:-}" = loops ]; then
  headline
  echo
  loops
  exit
fi

# ---- building ----

for action in exec check; do
  for program in three_kernels plain_costs; do
    "$work/$action/bin/nvcc" -O2 "$here/$program.cu" -o "$work/$program.$action" || fail "cannot build $program.cu"
  done
done

why_no_oclgrind() {
  if ! command -v oclgrind >/dev/null; then
    echo "oclgrind is missing (Debian: apt-get install oclgrind)"
  elif ! g++ -std=c++17 -O2 "$here/three_kernels_opencl.cpp" -o "$work/opencl" -lOpenCL 2>"$work/errors"; then
    echo "OpenCL's headers or library are missing (Debian: apt-get install opencl-headers ocl-icd-opencl-dev)"
  fi
}
no_oclgrind=$(why_no_oclgrind)

# ---- measuring ----

median() { sort -g | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }

# Runs a command ROUNDS times; prints the medians of the launch time it reports and of its wall-clock time.
measure() {
  local rounds=$1 start end i
  shift
  : >"$work/launch"
  : >"$work/whole"
  for ((i = 0; i < rounds; ++i)); do
    start=$EPOCHREALTIME
    "$@" >"$work/output" 2>&1 || { cat "$work/output" >&2; fail "this command failed: $*"; }
    end=$EPOCHREALTIME
    awk '$1 == "seconds" { print $2 }' "$work/output" >>"$work/launch"
    awk -v a="$start" -v b="$end" 'BEGIN { print b - a }' >>"$work/whole"
    if grep -q -i -e "race at" -e "uninitialized" "$work/output"; then
      cat "$work/output" >&2
      fail "Oclgrind reported an error in a correct kernel"
    fi
  done
  echo "$(median <"$work/launch") $(median <"$work/whole")"
}

seconds() { awk -v s="$1" 'BEGIN { printf s < 1 ? "%.0f ms" : s < 100 ? "%.1f s" : "%.0f s", s < 1 ? 1000 * s : s }'; }
factor() { awk -v a="$1" -v b="$2" 'BEGIN { f = a / b; printf f < 10 ? "%.1fx" : "%.0fx", f }'; }

# Prints one line of the table; arguments after the kernel are options of Oclgrind.
row() {
  local action=$1 kernel=$2 measured launch whole ocl_launch ocl_whole
  shift 2
  measured=$(measure "$rafter_rounds" "$rafter" "$action" "$work/three_kernels.$action" -- "$kernel") || exit 2
  read -r launch whole <<<"$measured"
  if [ -n "$no_oclgrind" ]; then
    set -- - - "$(seconds "$launch")" "$(seconds "$whole")" - -
  else
    measured=$(measure "$oclgrind_rounds" oclgrind "$@" "$work/opencl" "$here/kernels.cl" "$kernel") || exit 2
    read -r ocl_launch ocl_whole <<<"$measured"
    set -- "$(seconds "$ocl_launch")" "$(seconds "$ocl_whole")" "$(seconds "$launch")" "$(seconds "$whole")" \
      "$(factor "$ocl_launch" "$launch")" "$(factor "$ocl_whole" "$whole")"
  fi
  printf '  %-20s %9s %9s   %9s %9s   %8s %8s\n' "$kernel" "$@"
}

# Runs plain_costs, which prints lines "NAME VALUE"; `cost NAME` returns one value.
costs() {
  local action=$1 what=$2
  shift 2
  "$rafter" "$action" "$@" "$work/plain_costs.$action" -- "$what" >>"$work/costs" 2>"$work/errors" ||
    { cat "$work/errors" >&2; fail "plain_costs $what failed"; }
}
cost() { awk -v name="$1" '$1 == name { print $2 }' "$work/costs"; }

# ---- the table ----

version=$(oclgrind --version 2>/dev/null | sed -n 's/^Oclgrind //p')
headline
[ -z "$no_oclgrind" ] || printf 'without Oclgrind: %s\n' "$no_oclgrind"
printf '\n%-22s %19s   %19s   %17s\n' '1M elements' "Oclgrind $version" rafter 'times faster'
printf '%-22s %9s %9s   %9s %9s   %8s %8s\n' '' launch whole launch whole launch whole
echo 'plain'
for kernel in $kernels; do row exec "$kernel" || exit 2; done
echo 'checked (Oclgrind: data races, uninitialised reads; rafter: every checker)'
for kernel in $kernels; do row check "$kernel" --data-races --uninitialized || exit 2; done
printf 'launch: by the program, from the launch to its end. whole: wall clock of "oclgrind PROGRAM" or\n'
printf '"rafter exec|check PROGRAM": start, inputs, launch, copies, verifying, report; no compiling, except\n'
printf 'that OpenCL compiles its kernels at run time. '
printf 'Medians; runs of each: Oclgrind %s, rafter %s.\n' "$oclgrind_rounds" "$rafter_rounds"

for what in elementwise barriers shuffles; do costs exec $what --threads 1; done
costs check accesses --threads 1
line() { printf '  %-62s %10s\n' "$1" "$2"; }
kernel_ms=$(cost elementwise_kernel_ms) loop_ms=$(cost elementwise_loop_ms)
printf '\nplain, one worker (medians of 11 launches after one that warms up)\n'
line 'out = a * b + c over 4M elements, blocks of 256: kernel' "$kernel_ms ms"
line '  the same as a loop written by hand, one thread, -O2' "$loop_ms ms"
line '  kernel over loop' "$(factor "$kernel_ms" "$loop_ms")"
for block in 32 256 1024; do line "per thread and barrier, blocks of $block" "$(cost barrier_${block}_ns) ns"; done
line 'per lane and shuffle' "$(cost shuffle_256_ns) ns"
echo 'checked, one worker'
line 'per access to global memory (a copy)' "$(cost access_global_ns) ns"
line 'per access to global memory (a copy of chars)' "$(cost access_bytes_ns) ns"
line 'per access to shared memory (with one barrier for each)' "$(cost access_shared_ns) ns"

echo
loops
