#!/usr/bin/env python3
"""Compares the executor's counters with those of Nsight Compute, kernel by kernel, on this machine's GPU.

    benchmarks/counters/compare.py [--rafter PATH] [--nvcc PATH] [--ncu PATH] [--arch ARCH] [--all]

Builds arrays.cu and structures.cu twice, with nvcc and for the executor, counts both, and prints a table of the
differences (--all: of everything). Exit code: 0 all counters are equal, 1 some differ, 2 they could not be compared.
Needs nvcc, ncu and permission to read the GPU's counters: root, or NVreg_RestrictProfilingToAdminUsers=0.
"""
import argparse
import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = ["arrays.cu", "structures.cu"]

# The executor's counter (space, kind, quantity) and the metrics of ncu that add up to it. An atomic whose result is
# unused is a reduction (red) on the GPU.
COUNTERS = {
    "global load requests": (("global", "load", "requests"), ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"]),
    "global load sectors": (("global", "load", "sectors"), ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]),
    "global store requests": (("global", "store", "requests"), ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"]),
    "global store sectors": (("global", "store", "sectors"), ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]),
    "global atomic requests": (("global", "atomic", "requests"),
                               ["l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
                                "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"]),
    "global atomic sectors": (("global", "atomic", "sectors"),
                              ["l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
                               "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"]),
    "shared load requests": (("shared", "load", "requests"), ["smsp__inst_executed_op_shared_ld.sum"]),
    "shared load passes": (("shared", "load", "wavefronts"),
                           ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"]),
    "shared store requests": (("shared", "store", "requests"), ["smsp__inst_executed_op_shared_st.sum"]),
    "shared store passes": (("shared", "store", "wavefronts"),
                            ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"]),
    "shared atomic requests": (("shared", "atomic", "requests"), ["smsp__inst_executed_op_shared_atom.sum", "smsp__inst_executed_op_shared_red.sum"]),
    "shared atomic passes": (("shared", "atomic", "wavefronts"),
                             ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
                              "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_red.sum"]),
}


def give_up(why):
    print(f"compare: {why}", file=sys.stderr)
    sys.exit(2)


def run(command, what):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    except FileNotFoundError:
        give_up(f"{what}: cannot find {command[0]}")
    except subprocess.TimeoutExpired:
        give_up(f"{what}: it took more than 10 minutes")
    return done


def tool(name, given):
    """Returns a program from its option, the PATH, or the toolkit's folder."""
    found = given or shutil.which(name)
    if found is None and pathlib.Path(f"/usr/local/cuda/bin/{name}").exists():
        found = f"/usr/local/cuda/bin/{name}"
    if found is None:
        give_up(f"cannot find {name} on the PATH or in /usr/local/cuda/bin; set --{name}")
    return found


def ours(rafter, source):
    """Returns {kernel: {counter: value}} of the executor."""
    done = run([rafter, "profile", "--json", str(source)], "the executor")
    if done.returncode != 0:
        give_up(f"rafter profile {source.name} ended with {done.returncode}:\n{done.stderr[-2000:]}{done.stdout[-500:]}")
    result = {}
    for kernel, counts in json.loads(done.stdout)["counts"].items():
        result[kernel] = {}
        for name, ((space, kind, what), _) in COUNTERS.items():
            result[kernel][name] = sum(p[what] for p in counts["places"] if (p["space"], p["kind"]) == (space, kind))
    return result


def why_refused(text):
    if "ERR_NVGPUCTRPERM" in text:
        return ("this user may not read the GPU's counters: run it as root, or load the driver with "
                "NVreg_RestrictProfilingToAdminUsers=0")
    if "No kernels were profiled" in text:
        return "no kernel ran on the GPU"
    return text[-2000:].strip() or "it said nothing"


def unknown_metrics(text):
    lines = [line for line in text.splitlines() if "metric" in line.lower()]
    return {word.strip("'\".,:;") for line in lines for word in line.replace(",", " ").split()}


def metric_values(ncu, program, metrics):
    """Returns {kernel: {metric: value}}, without metrics that this GPU or ncu does not support."""
    done = run([ncu, "--csv", "--print-units", "base", "--kernel-name-base", "function", "--metrics", ",".join(metrics),
                str(program)], "Nsight Compute")
    lines = done.stdout.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith('"ID"')]
    if done.returncode != 0 or not starts:
        known = [metric for metric in metrics if metric not in unknown_metrics(done.stdout + done.stderr)]
        if known and len(known) < len(metrics):
            return metric_values(ncu, program, known)
        give_up(f"Nsight Compute could not count {program.name}: {why_refused(done.stdout + done.stderr)}")
    result = {}
    for row in csv.DictReader(lines[starts[0]:]):
        value = row["Metric Value"].replace(",", "")
        kernel = row["Kernel Name"].split("(")[0].split(" ")[-1]
        try:
            result.setdefault(kernel, {})[row["Metric Name"]] = round(float(value))
        except ValueError:  # n/a
            result.setdefault(kernel, {})
    return result


def theirs(nvcc, ncu, arch, source, folder):
    """Returns {kernel: {counter: value, or None if ncu has no such metric}}."""
    program = folder / source.stem
    built = run([nvcc, "-O3", f"-arch={arch}", "-o", str(program), str(source)], "nvcc")
    if built.returncode != 0:
        give_up(f"nvcc does not compile {source.name}:\n{built.stderr[-2000:]}")
    wanted = [metric for _, metrics in COUNTERS.values() for metric in metrics]
    result = {}
    for kernel, values in metric_values(ncu, program, wanted).items():
        result[kernel] = {}
        for name, (_, metrics) in COUNTERS.items():
            known = [values[metric] for metric in metrics if metric in values]
            result[kernel][name] = sum(known) if known else None
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rafter", default=str(HERE.parent.parent / "rafter"), help="the tool (default: the launcher)")
    parser.add_argument("--nvcc")
    parser.add_argument("--ncu")
    parser.add_argument("--arch", default="native", help="nvcc's -arch (default: this GPU's)")
    parser.add_argument("--all", action="store_true", help="show equal counters, too")
    options = parser.parse_args()
    nvcc, ncu = tool("nvcc", options.nvcc), tool("ncu", options.ncu)
    n_equal = n_different = n_unknown = 0
    print(f"{'kernel':<26} {'counter':<24} {'rafter':>12} {'ncu':>12} {'difference':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for source in SOURCES:
            counted = ours(options.rafter, HERE / source)
            measured = theirs(nvcc, ncu, options.arch, HERE / source, pathlib.Path(folder))
            for kernel in sorted(set(counted) | set(measured)):
                if kernel not in counted or kernel not in measured:
                    give_up(f"{source}: only {'ncu' if kernel in measured else 'rafter'} has a kernel {kernel}")
                for name in COUNTERS:
                    left, right = counted[kernel][name], measured[kernel][name]
                    if left == 0 and not right:
                        continue
                    n_unknown += right is None
                    n_equal += left == right
                    n_different += right is not None and left != right
                    if left != right or options.all:
                        difference = "" if right is None else "equal" if left == right else f"{left - right:+d}"
                        print(f"{kernel:<26} {name:<24} {left:>12} {'-' if right is None else right:>12} {difference:>12}")
    print(f"{n_equal} equal, {n_different} different" + (f", {n_unknown} that ncu does not have" if n_unknown else ""))
    sys.exit(1 if n_different else 0 if n_equal else 2)


if __name__ == "__main__":
    main()
