#!/usr/bin/env python3
"""Compares the diagnoses of `rafter explain` for the planted kernels with their times on a GPU.

    benchmarks/explain/planted.py [--rafter PATH] [--ncu]

Builds tests/workbench/explain/planted/*.cu with nvcc, times each kernel by name (rafter bench) and runs rafter explain on it. A
pair passes when the first sentences on the slow and the fixed kernel differ, and the slow one is slower by no more than
predicted (with a tolerance of a quarter). Exit code: 0 all pairs pass, 1 some fail, 2 it could not be run.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PLANTED = HERE.parent.parent / "tests/workbench/explain/planted"
FILES = ["memory.cu", "code.cu", "launch.cu"]


def run(words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=PLANTED)
    if done.returncode != 0:
        print(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout[-500:]}{done.stderr[-1500:]}")
        sys.exit(2)
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rafter", default=HERE.parent.parent / "rafter")
    parser.add_argument("--ncu", action="store_true", help="show the counters of Nsight Compute, too")
    options = parser.parse_args()
    n_bad = 0
    print(f"{'kernel':<14}{'slow':>12}{'fixed':>12}{'measured':>10}{'at most':>9}{'estimate':>12}  first words")
    with tempfile.TemporaryDirectory() as folder:
        for file in FILES:
            times = pathlib.Path(folder) / (file + ".json")
            run([options.rafter, "bench", file, "--json", times])
            measured = {one["kernel"].split("(")[0]: one for one in json.loads(times.read_text())["kernels"]}
            said = json.loads(run([options.rafter, "explain", file, "--blocks", "8", "--json"]))
            kernels = {one["kernel"]: one for one in said["kernels"]}
            for name in sorted(name[:-5] for name in kernels if name.endswith("_slow")):
                slow, fixed = kernels[name + "_slow"], kernels[name + "_fixed"]
                slow_ns, fixed_ns = (measured[name + end]["total_ns"] / (measured[name + end]["launches"] / one["launches"])
                                     for end, one in (("_slow", slow), ("_fixed", fixed)))
                first = slow["findings"][0]
                ratio, bound = slow_ns / fixed_ns, first["worth_at_most"]
                good = first["cause"] != fixed["findings"][0]["cause"] and ratio <= 1.25 * bound
                n_bad += not good
                print(f"{name:<14}{slow_ns / 1e3:>9.1f} us{fixed_ns / 1e3:>9.1f} us{ratio:>9.2f}x{bound:>8.1f}x"
                      f"{slow['estimate']['total_ns'] * slow['launches'] / 1e3:>9.1f} us  "
                      f"{'' if good else 'BAD '}{first['sentence'][:40]}")
                for one in (slow, fixed) if options.ncu else ():
                    if "nsight" in one:
                        print("    ", one["kernel"], {key: round(value, 1) for key, value in one["nsight"].items()})
    print(f"{n_bad} pairs are not as they should be" if n_bad else "all pairs are as they should be")
    sys.exit(1 if n_bad else 0)


if __name__ == "__main__":
    main()
