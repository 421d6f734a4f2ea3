#!/usr/bin/env python3
"""Behaves like `rafter list --json` and `rafter run` of fill and filter: each element takes a nanosecond.

The file FAKE_RAFTER_LOG receives the command lines. FAKE_RAFTER_FAULT is the size at which it fails, or hangs if it is
negative.
"""

import itertools
import json
import os
import sys
import time
from pathlib import Path

PARAMETERS = {"fill": {"n": 1024, "dtype": "float32"}, "filter": {"n": 1024, "keep": 0.5, "order": "kept",
                                                                "dtype": "float32", "writes": "elements"}}


def workload(name):
    rungs = [{"name": "plain", "kind": "rung"}, {"name": "threads", "kind": "rung"}, {"name": "std_fill", "kind": "peer"}]
    return {"name": name, "rungs": [{**r, "device": "cpu", "built": True} for r in rungs],
            "parameters": [{"name": p, "default": v, "size": p == "n"} for p, v in PARAMETERS[name].items()]}


def cases(name, sizes, settings):
    names = [s.split("=")[0] for s in settings]
    values = [s.split("=")[1].split(",") for s in settings]
    for size, combination in itertools.product(sizes, itertools.product(*values)):
        yield {**PARAMETERS[name], "n": int(size), **dict(zip(names, combination))}


def main(words):
    if words[0] == "list":
        return print(json.dumps([workload(name) for name in PARAMETERS]))
    option = dict(zip(words[2::2], words[3::2]))
    settings = [words[i + 1] for i, word in enumerate(words) if word == "--set"]
    with open(os.environ["FAKE_RAFTER_LOG"], "a") as log:
        log.write(" ".join(words) + "\n")
    fault = int(os.environ.get("FAKE_RAFTER_FAULT", "0"))
    machine = {"cpu": os.environ.get("FAKE_RAFTER_CPU", "made up"), "threads": 2, "os": "none", "binary": "1"}
    results = []
    for params in cases(words[1], option["--size"].split(","), settings):
        if params["n"] == abs(fault):
            if fault < 0:
                time.sleep(60)
            print("rafter: out of memory", file=sys.stderr)
            sys.exit(2)
        for rung in option["--rungs"].split(","):
            ns = float(params["n"])
            results.append({"params": params, "rung": rung, "kind": "peer" if rung.startswith("std") else "rung",
                            "status": "verified", "detail": "", "median_ns": ns, "min_ns": ns, "n": 5, "floor_ns": ns,
                            "noise": 0.01})
        Path(option["--json"]).write_text(json.dumps({"machine": machine, "results": results}))


if __name__ == "__main__":
    main(sys.argv[1:])
