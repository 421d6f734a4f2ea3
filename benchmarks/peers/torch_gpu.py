#!/usr/bin/env python3
"""Measures PyTorch on the cases of a results file and adds it to the file as peers.

    rafter run --device cuda --json results.json
    python3 benchmarks/peers/torch_gpu.py results.json [--only sum rows] [--seconds 0.4]

For each case that PyTorch has an operator for: the rungs torch (eager), torch_graph (a CUDA graph of it, where the eager
time is that of its launches) and torch_compiled (torch.compile, where operators are fused). A result is compared with
the same computation in float64 before it is timed. Times are medians between events, as in `rafter run`: the L2 is
written and read before each call, and a spinning kernel hides the time of the launches. Cases that do not fit into the
memory are left out and named. --device cpu with --at-most N tries the script on small cases without a GPU.
"""

import argparse
import json
import os
import statistics
import time
from pathlib import Path

import torch
from torch.nn import functional as F

from peer_times import as_graph
from torch_forcefield import Batch, molecules_of
from torch_forcefield_models import PaiNN, Student, cutoff_of, randomise
from torch_spectral import CONFIGS, SpectralShapeAutoencoder

DTYPES = {
    "float32": torch.float32,
    "float64": torch.float64,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "int32": torch.int32,
    "int64": torch.int64,
}
STENCILS = {  # weights of second differences at distance 0, 1, ...
    2: [-2.0, 1.0],
    4: [-5 / 2, 4 / 3, -1 / 12],
    6: [-49 / 18, 3 / 2, -3 / 20, 1 / 90],
    8: [-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560],
}


class Task:
    """A call of PyTorch, what it must give in float64, and the forms in which it is worth measuring."""

    def __init__(self, call, expected, tolerance=1e-5, forms=("torch",)):
        self.call, self.expected, self.tolerance, self.forms = call, expected, tolerance, forms

    def wrong(self):
        """Returns why the result is wrong, or nothing."""
        got, expected = self.call(), self.expected()
        if got.shape != expected.shape:
            return f"shape {tuple(got.shape)}, expected {tuple(expected.shape)}"
        if not got.is_floating_point():
            return "" if torch.equal(got, expected) else "other integers"
        error = (got.double() - expected).norm() / expected.norm().clamp_min(1e-300)
        return "" if error <= self.tolerance else f"relative error {float(error):.2e}"


def numbers(device, *shape, dtype=torch.float32):
    if dtype.is_floating_point:
        return torch.randn(*shape, device=device, dtype=torch.float32).to(dtype)
    return torch.randint(-1000, 1000, shape, device=device, dtype=dtype)


# ---- a task for each workload ----


def fill(p, device):
    x = torch.empty(p["n"], device=device)
    return Task(lambda: x.fill_(1.5), lambda: torch.full_like(x, 1.5, dtype=torch.float64))


def mul_add(p, device):
    a, b, c = (numbers(device, p["n"]) for _ in range(3))
    return Task(
        lambda: torch.addcmul(c, a, b),
        lambda: c.double() + a.double() * b.double(),
        forms=("torch", "torch_graph"),
    )


def elementwise(p, device):
    dtype, n = DTYPES[p["dtype"]], p["n"]
    if p["op"] == "iota":
        start, step = (3, 5) if not dtype.is_floating_point else (0.5, 0.25)
        call = lambda: torch.arange(n, device=device, dtype=dtype).mul_(step).add_(start)
        expected = lambda: (torch.arange(n, device=device) * step + start).to(dtype)
        return Task(call, expected if not dtype.is_floating_point else lambda: expected().double())
    a = numbers(device, n, dtype=dtype)
    if p["op"] == "multiply":
        b = numbers(device, n, dtype=dtype)
        return Task(lambda: a * b, lambda: (a.double() * b.double()))
    if p["op"] == "scale":
        return Task(lambda: a * 1.5, lambda: a.double() * 1.5)
    to = DTYPES[p["dtype"] if p["to"] == "same" else p["to"]]
    expected = lambda: a.to(to) if not to.is_floating_point else a.double()
    return Task(lambda: a.to(to), expected, tolerance=1e-3)


def sum_(p, device):
    x = numbers(device, p["n"])
    forms = ("torch", "torch_graph") if p["n"] <= 1 << 22 else ("torch",)
    return Task(lambda: x.sum(), lambda: x.double().sum(), 1e-2, forms)


def extrema(p, device):
    x = numbers(device, p["n"], dtype=DTYPES[p["dtype"]])
    forms = ("torch", "torch_graph") if p["n"] <= 1 << 22 else ("torch",)
    find = {"min": torch.min, "max": torch.max, "argmin": torch.argmin, "argmax": torch.argmax}[p["find"]]
    if "arg" not in p["find"]:
        return Task(lambda: find(x), lambda: find(x.double()), forms=forms)
    order = torch.min if p["find"] == "argmin" else torch.max  # equal elements: any index is right in PyTorch
    return Task(lambda: x[find(x)], lambda: order(x.double()), forms=forms)


def rows(p, device):
    x = numbers(device, p["rows"], p["cols"])
    return Task(lambda: x.sum(1), lambda: x.sum(1, dtype=torch.float64), 1e-4, ("torch", "torch_compiled"))


def filter_(p, device):
    n, keep = p["n"], p["keep"]
    x = torch.rand(n, device=device) * 2 - 1  # abs(x) < keep for that share
    if p["writes"] == "elements":
        return Task(lambda: x[x.abs() < keep], lambda: x.double()[x.abs() < keep])
    if p["writes"] == "indices":
        return Task(
            lambda: torch.nonzero(x.abs() < keep).squeeze(1),
            lambda: torch.arange(n, device=device)[x.abs() < keep],
        )
    return None


def scan(p, device):
    x = numbers(device, p["n"])
    return Task(lambda: torch.cumsum(x, 0), lambda: torch.cumsum(x.double(), 0), 1e-3)


def gather(p, device):
    index_type = DTYPES[p["index"]]
    table = numbers(device, p["table"])
    index = torch.randint(0, p["table"], (p["n"],), device=device).to(index_type)
    return Task(
        lambda: torch.index_select(table, 0, index),
        lambda: table.double()[index.long()],
    )


def scatter(p, device):
    if p["reduce"] != "sum" or p["details"] != "no":
        return None
    keys = torch.randint(0, p["keys"], (p["n"],), device=device)
    if p["sorted"] == "yes":
        keys = torch.sort(keys).values
    x = numbers(device, p["n"])
    out = torch.zeros(p["keys"], device=device)
    expected = lambda: torch.zeros(p["keys"], device=device, dtype=torch.float64).index_add_(0, keys, x.double())
    return Task(lambda: out.zero_().index_add_(0, keys, x), expected, 1e-2)


def transpose(p, device):
    if str(p["element"]) != "4":
        return None
    x = numbers(device, p["rows"], p["cols"])
    return Task(lambda: x.t().contiguous(), lambda: x.double().t(), forms=("torch", "torch_compiled"))


def heat(p, device):
    order, n = int(p["order"]), p["n"]
    shape = (p["nz"] or n, p["ny"] or n, n)
    radius, weights = order // 2, STENCILS[order]
    u0 = numbers(device, *shape)
    dt = 0.05 / 3
    inner = tuple(slice(radius, extent - radius) for extent in shape)

    def slope(u):
        v = torch.zeros_like(u)
        total = 3 * weights[0] * u[inner]
        for axis in range(3):
            for k in range(1, radius + 1):
                for shift in (-k, k):
                    at = list(inner)
                    at[axis] = slice(radius + shift, shape[axis] - radius + shift)
                    total = total + weights[k] * u[tuple(at)]
        v[inner] = total
        return v

    def step(u):
        k1 = slope(u)
        k2 = slope(u + dt / 2 * k1)
        k3 = slope(u + dt / 2 * k2)
        k4 = slope(u + dt * k3)
        return u + dt / 6 * (k1 + 2 * (k2 + k3) + k4)

    compiled = torch.compile(step, dynamic=False)

    def steps(of):
        def run():
            u = u0
            for _ in range(p["steps"]):
                u = of(u)
            return u

        return run

    def expected():
        u = u0.double()
        for _ in range(p["steps"]):
            u = step(u)
        return u

    task = Task(steps(step), expected, forms=("torch", "torch_compiled"))
    task.compiled = steps(compiled)
    return task


def conv(p, device):
    pad, half = p.get("pad", 0), p["precision"] == "fp16"
    x = numbers(device, p["batch"], p["channels"], p["size"], p["width"])
    w = numbers(device, p["maps"], p["channels"], p["kernel"], p["kernel_width"])
    bias = numbers(device, p["maps"])
    few = slice(0, min(4, p["batch"]))
    form = (lambda t: t.half().contiguous(memory_format=torch.channels_last)) if half else (lambda t: t)
    xs, ws, bs = form(x), form(w), bias.half() if half else bias

    class Conv(Task):
        def wrong(self):  # float64 convolutions are slow: a few images
            got = F.conv2d(xs[few], ws, bs, padding=pad).double()
            expected = F.conv2d(x[few].double(), w.double(), bias.double(), padding=pad)
            error = float((got - expected).norm() / expected.norm())
            return "" if error <= (2e-3 if half else 1e-5) else f"relative error {error:.2e}"

    return Conv(lambda: F.conv2d(xs, ws, bs, padding=pad), None, forms=("torch",))


def spectral(p, device):
    model = SpectralShapeAutoencoder(*CONFIGS[p["config"]]).to(device).eval().requires_grad_(False)
    exact = SpectralShapeAutoencoder(*CONFIGS[p["config"]]).to(device).eval().requires_grad_(False)
    exact.load_state_dict(model.state_dict())
    exact.double()
    mels, frames, _, _ = CONFIGS[p["config"]]
    x = numbers(device, p["batch"], mels * frames)
    tf32 = p["precision"] == "tf32"

    def call():
        torch.backends.cuda.matmul.allow_tf32 = tf32
        result = model(x)
        torch.backends.cuda.matmul.allow_tf32 = False
        return result

    return Task(call, lambda: exact(x.double()), 2e-3 if tf32 else 1e-5, ("torch", "torch_graph"))


def forcefield(p, device):
    model = randomise({"student": Student, "painn": PaiNN}[p["model"]](), 1).float().to(device).requires_grad_(False)
    molecules = molecules_of(p["kind"], p["molecules"])
    batch = Batch(molecules, cutoff_of(model), device)
    few = molecules[:8]

    class Forces(Task):
        def wrong(self):
            results = []
            for dtype in (torch.float32, torch.float64):
                some = Batch(few, cutoff_of(model), device, dtype)
                results.append(torch.cat([r.double().flatten() for r in some.energies_and_forces(model.to(dtype))]))
            model.float()
            error = float((results[0] - results[1]).norm() / results[1].norm())
            return "" if error <= 1e-4 else f"relative error {error:.1e}"

    return Forces(lambda: batch.energies_and_forces(model), None, forms=("torch", "torch_graph"))


TASKS = {
    "fill": fill,
    "mul_add": mul_add,
    "elementwise": elementwise,
    "sum": sum_,
    "extrema": extrema,
    "rows": rows,
    "filter": filter_,
    "scan": scan,
    "gather": gather,
    "scatter": scatter,
    "transpose": transpose,
    "heat": heat,
    "conv": conv,
    "spectral": spectral,
    "forcefield": forcefield,
}

# ---- measuring ----


class Clock:
    """Times calls with cold caches."""

    def __init__(self, device, seconds):
        self.device, self.seconds = device, seconds
        if device == "cuda":
            n = 2 * torch.cuda.get_device_properties(0).L2_cache_size
            self.sweep = torch.zeros(n // 4, device=device)

    def sample_ns(self, call):
        if self.device == "cpu":
            begin = time.perf_counter_ns()
            call()
            return time.perf_counter_ns() - begin
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.sweep.fill_(1.0)
        self.sweep.sum()
        torch.cuda._sleep(60000)
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
        return begin.elapsed_time(end) * 1e6

    def samples_ns(self, call):
        for _ in range(2):
            call()
        samples, start = [], time.monotonic()
        while len(samples) < 5 or (time.monotonic() - start < self.seconds and len(samples) < 200):
            samples.append(self.sample_ns(call))
        return samples


def form_of(task, form, device):
    """Returns the call of a form, or nothing where it does not exist."""
    if form == "torch":
        return task.call
    if form == "torch_graph":
        return as_graph(task.call) if device == "cuda" else None
    return getattr(task, "compiled", None) or torch.compile(task.call, dynamic=False)


IDEAS = {
    "torch": "PyTorch's operator, called eagerly.",
    "torch_graph": "PyTorch's operator, replayed as a CUDA graph.",
    "torch_compiled": "PyTorch's operator, compiled with torch.compile.",
}


def result_of(case, form, samples):
    """Returns a result like those of `rafter run`."""
    ordered = sorted(samples)
    quartiles = statistics.quantiles(ordered, n=4)
    kept = (
        "workload",
        "params",
        "device",
        "regime",
        "floor_ns",
        "floor_limit",
        "bytes_read",
        "bytes_written",
        "operations",
    )
    return {
        **{key: case[key] for key in kept if key in case},
        "rung": form,
        "kind": "peer",
        "idea": IDEAS[form],
        "status": "verified",
        "verified": True,
        "verified_samples": 1,
        "n": len(samples),
        "samples_ns": samples,
        "median_ns": statistics.median(ordered),
        "min_ns": ordered[0],
        "lower_quartile_ns": quartiles[0],
        "upper_quartile_ns": quartiles[2],
    }


def reduced(params, most):
    """Returns the parameters with no extent above `most`, to try the script."""
    return {k: min(v, most) if isinstance(v, int) and not isinstance(v, bool) else v for k, v in params.items()}


def write(path, document):
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(json.dumps(document))
    temporary.replace(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, help="the file of `rafter run --json`, which is completed")
    parser.add_argument("--only", nargs="+", metavar="WORKLOAD", help="some workloads")
    parser.add_argument("--seconds", type=float, default=0.4, help="for each form of a case (default: 0.4)")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument(
        "--at-most", type=int, default=0, metavar="N", help="reduce sizes to N, and do not write the file"
    )
    parser.add_argument("--no-compile", action="store_true", help="leave torch.compile out, which takes seconds a case")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(int.from_bytes(os.urandom(4), "little"))

    document = json.loads(options.results.read_text())
    document["results"] = [r for r in document["results"] if r["rung"] not in IDEAS]
    cases = {}
    for result in document["results"]:
        if result["device"] == "cuda" and result.get("verified"):
            cases.setdefault((result["workload"], json.dumps(result["params"])), result)
    document.setdefault("machine", {})["torch"] = torch.__version__
    clock = Clock(options.device, options.seconds)
    for (workload, _), case in cases.items():
        if workload not in TASKS or (options.only and workload not in options.only):
            continue
        params = {"pad": 0, "to": "same", **case["params"]}
        if options.at_most:
            params = reduced(params, options.at_most)
        words = " ".join(f"{k}={v}" for k, v in case["params"].items())
        task = None
        try:
            task = TASKS[workload](params, options.device)
            if task is None:
                continue
            wrong = task.wrong()
            if wrong:
                print(f"{workload} {words}: torch is wrong: {wrong}", flush=True)
                continue
            for form in task.forms:
                if form == "torch_compiled" and options.no_compile:
                    continue
                call = form_of(task, form, options.device)
                if call is None:
                    continue
                samples = clock.samples_ns(call)
                document["results"].append(result_of(case, form, samples))
                print(f"{workload} {words}: {form} {statistics.median(samples) / 1e3:.4g} us", flush=True)
        except Exception as error:  # out of memory, or an operator that cannot be compiled: the others go on
            print(f"{workload} {words}: {type(error).__name__}: {str(error).splitlines()[0]}", flush=True)
        task = None
        if options.device == "cuda":
            torch.cuda.empty_cache()
        torch.compiler.reset()
        if options.at_most == 0:
            write(options.results, document)


if __name__ == "__main__":
    main()
