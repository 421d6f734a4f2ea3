"""Timing for the scripts of peers: CUDA graphs of a call, and Rafter's own table."""

import json
import subprocess
import tempfile
from pathlib import Path

import torch


def as_graph(call):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph.replay


def rafter_us(tool, workload, rung, settings):
    """Returns the median of a rung in microseconds, by `rafter run WORKLOAD` with these settings."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.json"
        words = [tool, "run", workload, "--rungs", rung, "--json", str(path)]
        for name, value in settings.items():
            words += [f"--{name}", str(value)]
        subprocess.run(words, check=True, capture_output=True)
        found = []

        def walk(node):
            if isinstance(node, dict):
                if node.get("name", node.get("rung")) == rung and "median_ns" in node:
                    found.append(node["median_ns"] / 1e3)
                for value in node.values():
                    walk(value)
            elif isinstance(node, list):
                for value in node:
                    walk(value)

        walk(json.loads(path.read_text()))
        return found[0] if found else float("nan")
