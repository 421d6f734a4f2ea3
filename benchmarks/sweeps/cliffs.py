#!/usr/bin/env python3
"""Lists the points of a sweep at which the op is slower than a peer, or off the trend of its neighbours.

    benchmarks/sweeps/cliffs.py results.json ...

A point is listed if
  - the op was not verified there,
  - its time exceeds a peer's by more than 5 %, or by more than the noise that `rafter run` found at this point, or
  - its time is more than 1.5 times what its neighbours suggest. Times are divided by the floor of the point, so that a
    case with more work is not a cliff; the neighbours' values are interpolated between them, on logarithmic scales.
On a GPU times are medians, on a CPU minima: other processes can only add to them.

known.json gives reasons for points. Each names a heading of the family's NOTES.md. Exit code 0: every listed point has
a reason; 1: some do not, or a reason names no heading; 2: a file cannot be read.
"""

import argparse
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path

import sweep

HERE = Path(__file__).resolve().parent
PEER_MARGIN = 0.05
MOST_OFF_TREND = 1.5


@dataclass(frozen=True)
class Finding:
    key: str
    workload: str
    device: str
    params: dict
    kind: str  # peer, trend or failed
    ratio: float
    text: str


def time_of(point, rung):
    """Returns the time of a rung in nanoseconds, or None if it was not verified."""
    measured = point["rungs"].get(rung, {})
    if measured.get("status") != "verified":
        return None
    return measured.get("min_ns" if point["device"] == "cpu" else "median_ns")


def peer_finding(key, point):
    """Returns the finding for the fastest peer, or None."""
    own = time_of(point, point["op"])
    times = {name: time_of(point, name) for name, rung in point["rungs"].items() if rung["kind"] == "peer"}
    times = {name: ns for name, ns in times.items() if ns}
    if own is None or not times:
        return None
    peer = min(times, key=times.get)
    ratio = own / times[peer]
    if ratio <= 1 + max(PEER_MARGIN, point["noise"]):
        return None
    return Finding(key, point["workload"], point["device"], point["params"], "peer", ratio,
                   f"{own / 1e3:.4g} us, {peer} {times[peer] / 1e3:.4g} us")


def expected(x, neighbours):
    """Interpolates y at x between two neighbours (x, y) on logarithmic scales; on a linear one if an x is not positive.
    At an end of a series, where both are on one side, the nearer one's y is expected."""
    (x0, y0), (x1, y1) = neighbours
    if not x0 < x < x1:
        return min(neighbours, key=lambda n: abs(n[0] - x))[1]
    scale = math.log if x0 > 0 else float
    share = (scale(x) - scale(x0)) / (scale(x1) - scale(x0))
    return math.exp((1 - share) * math.log(y0) + share * math.log(y1))


def trend_findings(series):
    """Returns the findings of one series: pairs of a key and a point."""
    timed = []
    for key, point in series:
        own = time_of(point, point["op"])
        if own and point["x"]:
            timed.append((float(point["params"][point["x"]]), own, point["floor_ns"] or 1, key, point))
    timed.sort(key=lambda t: t[0])
    found = []
    for i, (x, own, floor, key, point) in enumerate(timed):
        near = [j for j in (i - 1, i + 1, i - 2, i + 2) if 0 <= j < len(timed)][:2]
        if len(near) < 2:
            continue
        near.sort()
        # At an end, the next point shows the expected time in ns if the op waits for launches or memory latency, and
        # the expected ratio to the floor if it is bound by memory or arithmetic: the larger time is expected.
        by_floor = floor * expected(x, [(timed[j][0], timed[j][1] / timed[j][2]) for j in near])
        by_time = expected(x, [(timed[j][0], timed[j][1]) for j in near])
        is_inside = timed[near[0]][0] < x < timed[near[1]][0]
        wanted = by_floor if is_inside else max(by_floor, by_time)
        if own > MOST_OFF_TREND * wanted:
            found.append(Finding(key, point["workload"], point["device"], point["params"], "trend", own / wanted,
                                 f"{own / 1e3:.4g} us, its neighbours suggest {wanted / 1e3:.4g} us"))
    return found


def findings(document):
    """Returns everything that is listed, the worst first within each workload."""
    found, series = [], {}
    for key, point in document["points"].items():
        series.setdefault((point["workload"], point["device"], point["series"]), []).append((key, point))
        op = point["rungs"].get(point["op"], {"status": "missing"})
        if op["status"] != "verified":
            found.append(Finding(key, point["workload"], point["device"], point["params"], "failed", math.inf,
                                 f"{point['op']}: {op['status']} {op.get('detail', '')}".rstrip()))
        elif (slower := peer_finding(key, point)) is not None:
            found.append(slower)
    for of_series in series.values():
        found += trend_findings(of_series)
    return sorted(found, key=lambda f: (f.device, f.workload, f.kind, -f.ratio))


class Reasons:
    """The reasons of known.json."""

    def __init__(self, path, kernels):
        try:
            entries = json.loads(Path(path).read_text())
        except OSError as error:
            raise sweep.SweepError(f"{path}: cannot be read: {error.strerror}") from None
        except ValueError as error:
            raise sweep.SweepError(f"{path}: is not JSON ({error})") from None
        self.problems = []
        self.entries = []
        for i, entry in enumerate(entries):
            missing = [name for name in ("workload", "device", "kind", "notes", "reason") if name not in entry]
            if missing:
                raise sweep.SweepError(f"{path}: entry {i} has no '{missing[0]}'")
            self.entries.append(entry)
            if not has_heading(Path(kernels) / entry["workload"] / "NOTES.md", entry["notes"]):
                self.problems.append(f"{path}: entry {i} names '{entry['notes']}', which is no heading of "
                                     f"kernels/{entry['workload']}/NOTES.md")
        self.used = set()

    def of(self, finding):
        """Returns the entry of a finding, or None."""
        for i, entry in enumerate(self.entries):
            if (entry["workload"], entry["device"], entry["kind"]) != (finding.workload, finding.device, finding.kind):
                continue
            if finding.ratio > entry.get("most", math.inf):
                continue
            if all(is_in(finding.params.get(name), value) for name, value in entry.get("params", {}).items()):
                self.used.add(i)
                return entry
        return None


def is_in(value, wanted):
    """Whether a parameter is a value, or in an interval [low, high]."""
    if isinstance(wanted, list):
        return value is not None and wanted[0] <= float(value) <= wanted[1]
    return value is not None and sweep.is_same(value, wanted)


def has_heading(path, heading):
    if not path.exists():
        return False
    return any(line.startswith("#") and line.lstrip("# ").strip() == heading for line in path.read_text().splitlines())


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+", help="files that sweep.py wrote")
    parser.add_argument("--known", default=HERE / "known.json", help="the reasons (default: known.json)")
    parser.add_argument("--kernels", default=sweep.ROOT / "kernels", help="the folder of the families")
    parser.add_argument("--all", action="store_true", help="show points that have a reason, too")
    options = parser.parse_args(words)
    n_open = n_known = n_points = 0
    try:
        reasons = Reasons(options.known, options.kernels)
        for path in options.results:
            document = sweep.read_results(path)
            n_points += len(document["points"])
            for finding in findings(document):
                entry = reasons.of(finding)
                n_open, n_known = n_open + (entry is None), n_known + (entry is not None)
                if entry is None or options.all:
                    print(f"{finding.kind:6} {finding.ratio:5.2f}x  {finding.key}: {finding.text}" +
                          (f" (known: {entry['reason']})" if entry else ""))
            for key, reason in document["skipped"].items():
                print(f"skipped        {key}: {reason}", file=sys.stderr)
    except sweep.SweepError as error:
        print(f"cliffs.py: {error}", file=sys.stderr)
        return 2
    for problem in reasons.problems:
        print(problem)
    print(f"{n_points} points: {n_open} listed, {n_known} with a known reason")
    return 1 if n_open or reasons.problems else 0


if __name__ == "__main__":
    sys.exit(main())
