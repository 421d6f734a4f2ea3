#!/usr/bin/env python3
"""Measures every op beside its peers over sizes, shapes and element types, into one results file.

    benchmarks/sweeps/sweep.py results.json --device cuda
    benchmarks/sweeps/cliffs.py results.json

An interrupted sweep resumes: points that the file has are not measured again. README.md describes the file.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import points

ROOT = Path(__file__).resolve().parents[2]
FORMAT = 1
POINT_FIELDS = ("workload", "device", "params", "series", "rungs")


class SweepError(Exception):
    """A sentence for the user."""


class Results:
    """A results file. It is written under a temporary name and renamed, so that it is complete at any time."""

    def __init__(self, path, is_fresh=False):
        self.path = Path(path)
        self.document = {"format": FORMAT, "machine": None, "points": {}, "skipped": {}}
        if self.path.exists() and not is_fresh:
            self.document = read_results(self.path)

    @property
    def points(self):
        return self.document["points"]

    @property
    def skipped(self):
        return self.document["skipped"]

    def set_machine(self, machine):
        """Throws if the points were measured on another machine."""
        now = {name: machine.get(name) for name in ("cpu", "threads", "os")}
        if "gpu" in machine:
            now["gpu"] = machine["gpu"]["name"]
        before = self.document["machine"] or {}
        for name in before.keys() & now.keys():
            if before[name] != now[name]:
                raise SweepError(f"{self.path}: its points were measured on another machine ({name}: {before[name]}, "
                                 f"here {now[name]}); choose another file, or --fresh to replace it")
        self.document["machine"] = {**before, **now}

    def add(self, key, point):
        self.points[key] = point
        self.skipped.pop(key, None)

    def skip(self, key, reason):
        self.skipped[key] = reason

    def write(self):
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            temporary.write_text(json.dumps(self.document, indent=1) + "\n")
            temporary.replace(self.path)
        finally:
            temporary.unlink(missing_ok=True)


def read_results(path):
    try:
        document = json.loads(Path(path).read_text())
    except OSError as error:
        raise SweepError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise SweepError(f"{path}: is not JSON ({error}); remove it, or measure again with --fresh") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise SweepError(f"{path}: is not the results file of a sweep of format {FORMAT}")
    for name in ("points", "skipped"):
        if not isinstance(document.get(name), dict):
            raise SweepError(f"{path}: has no object '{name}'; measure again with --fresh")
    for key, point in document["points"].items():
        missing = [name for name in POINT_FIELDS if name not in point]
        if missing:
            raise SweepError(f"{path}: point '{key}' has no {missing[0]}; measure again with --fresh")
    return document


class Tool:
    """`rafter`, and what it lists."""

    def __init__(self, path):
        self.path = str(path)
        listed = subprocess.run([self.path, "list", "--json"], capture_output=True, text=True)
        try:
            self.workloads = {w["name"]: w for w in json.loads(listed.stdout)}
        except ValueError:
            raise SweepError(f"'{self.path} list --json' failed: {last_line(listed.stderr)}") from None

    def rungs(self, series, device):
        """Returns the op, and the peers that are built."""
        here = [r for r in self.workloads[series.workload]["rungs"] if r["device"] == device]
        own = [r["name"] for r in here if r["kind"] == "rung" and r["built"]]
        if not own:
            raise SweepError(f"{series.workload} has no rung for {device} in this build; RAFTER_CUDA=on ./rafter build "
                             "builds those for a GPU")
        return series.op or own[-1], [r["name"] for r in here if r["kind"] == "peer" and r["built"]]

    def case_options(self, series, values):
        """Returns the options of `rafter run` for the points with these values."""
        parameters = self.workloads[series.workload]["parameters"]
        sizes = [p["name"] for p in parameters if p["size"]]
        standard = {p["name"]: p["default"] for p in parameters}
        unknown = (set(series.sweep) | set(series.fixed)) - set(standard)
        if unknown:
            raise SweepError(f"{series.workload} has no parameter '{sorted(unknown)[0]}'")

        def size(params):
            return "x".join(str(params.get(name, standard[name])) for name in sizes)

        by_size = set(series.sweep) <= set(sizes)
        cases = [series.params(v) for v in values]
        options = ["--size", ",".join(size(c) for c in (cases if by_size else cases[:1]))]
        for name, value in series.fixed.items():
            if name not in sizes:
                options += ["--set", f"{name}={value}"]
        if not by_size:
            options += ["--set", f"{series.sweep[0]}=" + ",".join(str(v[0]) for v in values)]
        return options


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"


def is_same(a, b):
    """Compares parameters: numbers by value, words as text."""
    try:
        return float(a) == float(b)
    except (TypeError, ValueError):
        return str(a) == str(b)


def points_of(document, series, device, values):
    """Returns the points of a results file of `rafter run`, by key."""
    found = {}
    for v in values:
        params = series.params(v)
        of_case = [r for r in document["results"]
                   if all(is_same(r["params"][name], value) for name, value in params.items() if name in r["params"])]
        if not of_case:
            continue
        kept = ("kind", "status", "detail", "median_ns", "min_ns", "n")
        first = of_case[0]
        found[points.key_of(series.workload, device, params)] = {
            "workload": series.workload, "device": device, "params": params, "series": series.name, "x": series.x,
            "floor_ns": first["floor_ns"], "noise": first["noise"], "binary": document["machine"].get("binary"),
            "rungs": {r["rung"]: {name: r[name] for name in kept if r.get(name) not in (None, "")} for r in of_case}}
    return found


def run_watched(command, watched, limit_s):
    """Runs a command and stops it if the file it writes does not change for `limit_s` seconds. Returns a message, empty
    on success. Exit code 1 is a success: a rung was wrong, and the results have its status."""
    # RAFTER_ROUND_OF_COMPARISON omits the second measurement of the roofs, which takes longer than a point.
    environment = {**os.environ, "RAFTER_ROUND_OF_COMPARISON": "1"}
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=environment)
        try:
            changed, last = time.monotonic(), None
            while process.poll() is None:
                time.sleep(0.05)
                now = watched.stat().st_mtime_ns if watched.exists() else None
                if now != last:
                    changed, last = time.monotonic(), now
                if time.monotonic() - changed > limit_s:
                    return f"took more than {limit_s:g} s"
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        errors.seek(0)
        return "" if process.returncode in (0, 1) else last_line(errors.read())


def measure(tool, results, series, values, options):
    """Measures points of a series. A point that fails is skipped with the reason, and the others are measured."""
    op, peers = tool.rungs(series, options.device)
    with tempfile.TemporaryDirectory() as folder:
        while values:
            path = Path(folder) / "run.json"
            path.unlink(missing_ok=True)
            command = [tool.path, "run", series.workload, "--device", options.device, "--rungs", ",".join([op] + peers),
                       "--seconds", str(options.seconds), "--seed", "1", "--json", str(path)]
            if options.threads:
                command += ["--threads", str(options.threads)]
            message = "interrupted"
            try:
                message = run_watched(command + tool.case_options(series, values), path, options.limit)
            finally:
                found = {}
                if path.exists():
                    document = json.loads(path.read_text())
                    results.set_machine(document["machine"])
                    found = points_of(document, series, options.device, values)
                for key, point in found.items():
                    results.add(key, {**point, "op": op})
                results.write()
            values = [v for v in values
                      if points.key_of(series.workload, options.device, series.params(v)) not in found]
            if values:
                key = points.key_of(series.workload, options.device, series.params(values[0]))
                results.skip(key, message or "rafter run did not report it")
                results.write()
                say(f"{key}: {results.skipped[key]}")
                values = values[1:]


def say(text):
    print(text, file=sys.stderr, flush=True)


def free_gib(device):
    """Returns half of the free memory of a GPU, or a third of the CPU's: a case keeps several sets of inputs."""
    if device == "cuda":
        query = ["nvidia-smi", "--query-gpu=memory.free", "--format=csv,noheader,nounits"]
        try:
            return int(subprocess.run(query, capture_output=True, text=True).stdout.split()[0]) / 1024 / 2
        except (OSError, IndexError, ValueError):
            return 4
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) / 2**20 / 3
    return 1


def quick_part(all_series):
    """Returns few points of few series, all small."""
    for series in all_series:
        if not series.is_quick:
            continue
        small = [v for v in series.values if points.bytes_of(series.workload, series.params(v)) <= 64 << 20]
        yield series, small[:: max(len(small) // 5, 1)]


def wanted_points(options, tool, results):
    """Returns the points to measure, as pairs of a series and values, and marks those that do not fit the memory."""
    series = [s for s in points.all_series() if options.device in s.devices]
    known = {s.workload for s in series}
    for name in options.only:
        if name not in known:
            raise SweepError(f"unknown workload '{name}'; the sweep has {', '.join(sorted(known))}")
    for name in sorted(known - set(tool.workloads)):
        raise SweepError(f"this build of rafter has no workload '{name}'")
    again = set()
    if options.again:
        import cliffs  # which imports this module
        again = {finding.key for finding in cliffs.findings(results.document)}
    wanted = []
    for s, values in quick_part(series) if options.quick else ((s, s.values) for s in series):
        if options.only and s.workload not in options.only:
            continue
        chosen = []
        for v in values:
            key = points.key_of(s.workload, options.device, s.params(v))
            is_wanted = key in again if options.again else options.replace or key not in results.points
            if not is_wanted:
                continue
            gib = points.bytes_of(s.workload, s.params(v)) / 2**30
            if gib > options.memory:
                results.skip(key, f"needs {gib:.3g} GiB, more than --memory {options.memory:.3g}")
            else:
                chosen.append(v)
        if chosen:
            wanted.append((s, chosen))
    return wanted


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", help="the results file; measured points that it has are kept")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORKLOAD", help="only these workloads")
    parser.add_argument("--quick", action="store_true", help="few small points: a look, not a result")
    parser.add_argument("--fresh", action="store_true", help="replace the file")
    parser.add_argument("--replace", action="store_true", help="measure points again that the file has")
    parser.add_argument("--again", action="store_true",
                        help="measure only points that cliffs.py lists, ten times as long")
    parser.add_argument("--seconds", type=float, default=0.04, help="timing of each rung of a point (default: 0.04)")
    parser.add_argument("--limit", type=float, default=60, help="seconds until a point is skipped (default: 60)")
    parser.add_argument("--memory", type=float, default=0,
                        help="GiB that the arrays of a point may need (default: half of the free memory of the GPU, a "
                        "third of the CPU's)")
    parser.add_argument("--threads", type=int, default=0, help="threads of the CPU (default: all)")
    parser.add_argument("--rafter", default=ROOT / "rafter", help="the tool (default: ./rafter of this checkout)")
    options = parser.parse_args(words)
    options.memory = options.memory or free_gib(options.device)
    if options.again:
        options.seconds *= 10
    return options


def main(words=None):
    options = parse(words)
    try:
        results = Results(options.results, options.fresh)
        tool = Tool(options.rafter)
        wanted = wanted_points(options, tool, results)
        n, done, start = sum(len(v) for _, v in wanted), 0, time.monotonic()
        say(f"{n} points on {options.device}, {len(results.points)} in {options.results}")
        for series, values in wanted:
            say(f"[{100 * done // max(n, 1):3} % {time.monotonic() - start:5.0f} s] {series.workload}: {series.name}, "
                f"{len(values)} points")
            measure(tool, results, series, values, options)
            done += len(values)
        results.write()
    except SweepError as error:
        say(f"sweep.py: {error}")
        return 2
    except KeyboardInterrupt:
        say(f"sweep.py: interrupted; the same command measures the rest into {options.results}")
        return 130
    say(f"{len(results.points)} points, {len(results.skipped)} skipped: {options.results}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
