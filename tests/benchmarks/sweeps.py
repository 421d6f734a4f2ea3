"""Makes the scripts of benchmarks/sweeps importable, and made-up points for their tests."""

import os
import sys
from pathlib import Path

SWEEPS = Path(os.environ.get("RAFTER_SWEEPS", Path(__file__).resolve().parents[2] / "benchmarks" / "sweeps"))
sys.path.insert(0, str(SWEEPS))


def point(n, own_ns, peer_ns=None, device="cuda", **changes):
    """A point of a series over n, whose floor is n nanoseconds."""
    rungs = {"published": {"kind": "rung", "status": "verified", "median_ns": own_ns, "min_ns": own_ns}}
    if peer_ns is not None:
        rungs["cub_reduce"] = {"kind": "peer", "status": "verified", "median_ns": peer_ns, "min_ns": peer_ns}
    return {"workload": "sum", "device": device, "params": {"n": n}, "series": "sizes", "x": "n", "op": "published",
            "floor_ns": n, "noise": 0, "rungs": rungs, **changes}


def document(*points):
    return {"format": 1, "machine": {"cpu": "made up"}, "skipped": {},
            "points": {f"sum {p['device']} n={p['params']['n']}": p for p in points}}
