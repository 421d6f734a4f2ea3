#!/usr/bin/env python3
"""Times PyTorch's CPU primitives at the sizes of Rafter's comparison.

    python3 -m venv venv && venv/bin/pip install torch numpy
    venv/bin/python benchmarks/peers/torch_cpu.py [--threads N] [--only NAME ...]

Each case: 3 warm-ups, then the median of 10 calls, with outputs allocated by PyTorch, as its users do. Rafter's side of
each line is `rafter run FAMILY --device cpu` at the size in the table; run both on the same cores, on a quiet machine.
"""

import argparse
import statistics
import time

import torch


def sum_all():
    x = torch.randn(2**27)
    return x.sum


def rows():
    x = torch.randn(10**6, 10)
    return lambda: x.sum(dim=1)


def transpose():
    x = torch.randn(4096, 4096)
    return lambda: x.t().contiguous()


def filter_half():
    x = torch.rand(2**25) * 2 - 1
    return lambda: x[x.abs() < 0.5]


def gather():
    table = torch.randn(2**22)
    index = torch.randint(0, 2**22, (2**24,))
    return lambda: table[index]


def gather_select():
    table = torch.randn(2**22)
    index = torch.randint(0, 2**22, (2**24,))
    return lambda: torch.index_select(table, 0, index)


def index_add():
    values = torch.randn(2**24)
    keys = torch.randint(0, 1000, (2**24,))
    return lambda: torch.zeros(1000).index_add_(0, keys, values)


def scan():
    x = torch.randn(2**25)
    return lambda: torch.cumsum(x, 0)


HEAT_RATES = (0.01, 0.02, 0.015)  # dt * alpha / h^2 along z, y and x


def heat_star(v, radius=4, weights=(-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560)):
    """Returns dt times the slope for the cells that are not frozen."""

    def moved(axis, by):
        inner = [slice(radius, n - radius) for n in v.shape]
        inner[axis] = slice(radius + by, v.shape[axis] - radius + by)
        return v[tuple(inner)]

    total = weights[0] * sum(HEAT_RATES) * moved(0, 0)
    for axis, rate in enumerate(HEAT_RATES):
        for k in range(1, radius + 1):
            total = total + rate * weights[k] * (moved(axis, -k) + moved(axis, k))
    return total


def heat_step(u):
    def slope(v):
        return torch.nn.functional.pad(heat_star(v), (4,) * 6)

    k1 = slope(u)
    k2 = slope(u + k1 / 2)
    k3 = slope(u + k2 / 2)
    k4 = slope(u + k3)
    return u + (k1 + 2 * k2 + 2 * k3 + k4) / 6


def heat():
    u = torch.randn(256, 256, 256)
    return lambda: heat_step(u)


def heat_compiled():
    u = torch.randn(256, 256, 256)
    step = torch.compile(heat_step)
    return lambda: step(u)


def heat_compiled_parts():
    """Compiled slope by slope, into preallocated arrays: compiling the whole step recomputes slopes."""
    u = torch.randn(256, 256, 256)
    slopes = [torch.zeros_like(u) for _ in range(4)]

    @torch.compile
    def slope(v, k):
        k[4:-4, 4:-4, 4:-4] = heat_star(v)

    stage = torch.compile(lambda k, share: u + share * k)
    combine = torch.compile(lambda k1, k2, k3, k4: u + (k1 + 2 * k2 + 2 * k3 + k4) / 6)

    def step():
        slope(u, slopes[0])
        slope(stage(slopes[0], 0.5), slopes[1])
        slope(stage(slopes[1], 0.5), slopes[2])
        slope(stage(slopes[2], 1.0), slopes[3])
        return combine(*slopes)

    return step


CASES = {
    "sum": ("2^27", sum_all),
    "rows": ("(10^6, 10)", rows),
    "transpose": ("4096 x 4096, .t().contiguous()", transpose),
    "filter": ("2^25, keep 50 %, x[x.abs() < t]", filter_half),
    "gather": ("2^24 from 2^22, table[index], int64", gather),
    "gather_select": ("2^24 from 2^22, index_select, int64", gather_select),
    "index_add": ("2^24 into 1000 keys, int64", index_add),
    "scan": ("cumsum 2^25", scan),
    "heat": ("256^3, order 8, a step of RK4", heat),
    "heat_compiled": ("the step by torch.compile", heat_compiled),
    "heat_parts": ("slopes and sums by torch.compile", heat_compiled_parts),
}


def median_ms(call):
    for _ in range(3):
        call()
    samples = []
    for _ in range(10):
        start = time.perf_counter()
        call()
        samples.append((time.perf_counter() - start) * 1e3)
    return statistics.median(samples)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads, float32, medians of 10")
    for name in options.only:
        size, make = CASES[name]
        print(f"{name:14} {size:38} {median_ms(make()):9.2f} ms", flush=True)


if __name__ == "__main__":
    main()
