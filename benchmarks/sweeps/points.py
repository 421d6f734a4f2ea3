"""The points of a sweep: series of cases of a workload that differ in one respect, which is `x`."""

import math
from dataclasses import dataclass, field

SIZES = [2**k for k in range(6, 31, 2)]
ODD_SIZES = [1000, 4097, 99991, 2**20 + 1, 2**24 + 12345, 2**28 + 4321]
ELEMENT_BYTES = {"float32": 4, "float64": 8, "float16": 2, "bfloat16": 2, "int32": 4, "int64": 8}
TYPE_SIZES = [2**12, 2**20, 2**26]  # at which element types other than float32 are measured


@dataclass(frozen=True)
class Series:
    """Points that are measured by one command and compared with each other. `sweep` names the parameters that vary;
    `x` is the one along which times have a trend, or "". `op` is the rung to measure; "" is the last of the ladder."""

    workload: str
    name: str
    sweep: tuple
    values: tuple  # a tuple for each point, in the order of `sweep`
    x: str = ""
    fixed: dict = field(default_factory=dict)
    devices: tuple = ("cpu", "cuda")
    op: str = ""
    is_quick: bool = False

    def params(self, values):
        return {**self.fixed, **dict(zip(self.sweep, values))}


def sizes_up_to(most, odd=True):
    return sorted(n for n in SIZES + (ODD_SIZES if odd else []) if n <= most)


def over(workload, name, parameter, values, is_quick=False, devices=("cpu", "cuda"), rung="", fixed=None, **others):
    """Returns a series over one parameter; `fixed` and `others` are fixed parameters."""
    return Series(workload, name, (parameter,), tuple((v,) for v in values), parameter, {**(fixed or {}), **others},
                  devices, rung, is_quick)


def shapes(workload, name, sweep, values, x, is_quick=False, **others):
    return Series(workload, name, tuple(sweep), tuple(values), x, others, is_quick=is_quick)


def sizes_and_types(workload, types, **fixed):
    """Returns all sizes in float32, and three sizes in the other types."""
    return [over(workload, "sizes", "n", sizes_up_to(2**30), is_quick=True, fixed=fixed)] + [
        over(workload, f"sizes {t}", "n", TYPE_SIZES, dtype=t, fixed=fixed) for t in types if t != "float32"]


def filter_series():
    keeps = [0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 1]
    series = sizes_and_types("filter", ["float64", "int32", "int64"])
    series += [over("filter", f"shares {t} 2^{k}", "keep", keeps, n=2**k, dtype=t, is_quick=t == "float32" and k == 20)
               for k, t in ((16, "float32"), (20, "float32"), (26, "float32"), (24, "int64"))]
    series += [over("filter", "any order", "n", TYPE_SIZES + [2**20 + 1], order="any", devices=("cuda",),
                    rung="tile_atomic")]
    series += [over("filter", f"shares {writes}", "keep", [0, 0.01, 0.1, 0.5, 0.9, 1], n=2**24, writes=writes)
               for writes in ("indices", "columns")]
    return series


def gather_series():
    tables = [2**k for k in range(6, 29, 2)] + [1000, 2**20 + 1]
    trust = {"bounds": "trust"}  # the one that std::transform has, too
    series = [over("gather", "sizes", "n", sizes_up_to(2**28), table=2**20, is_quick=True, **trust)]
    series += [over("gather", f"tables {index}", "table", sorted(tables), n=2**24, index=index, **trust)
               for index in ("int64", "int32")]
    series += [over("gather", "tables, small n", "table", sorted(tables)[:10], n=2**12, **trust)]
    series += [over("gather", f"elements {t}", "table", [2**10, 2**16, 2**20, 2**24], n=2**22, dtype=t, **trust)
               for t in ("float64", "float16", "int64")]
    series += [over("gather", f"bounds {b}", "table", [2**10, 2**18, 2**24], n=2**22, bounds=b)
               for b in ("report", "clamp", "zero")]
    return series


def scatter_series():
    keys = [1, 2, 10, 100, 1000, 4096, 10**4, 10**5, 2**18, 10**6, 10**7]
    series = [over("scatter", "sizes", "n", sizes_up_to(2**28), keys=1000, is_quick=True)]
    series += [over("scatter", f"keys {name}", "keys", keys, n=2**24, **fixed) for name, fixed in (
        ("float32", {}), ("sorted", {"sorted": "yes", "index": "int32"}), ("int32 keys", {"index": "int32"}))]
    series += [over("scatter", f"keys {t}", "keys", [1, 1000, 10**5, 10**6], n=2**22, dtype=t)
               for t in ("float64", "float16", "int32", "int64")]
    series += [over("scatter", f"keys {r}", "keys", [1, 1000, 10**6], n=2**22, reduce=r) for r in ("mean", "min")]
    series += [over("scatter", f"spread {s}", "keys", [1000, 10**5, 10**6], n=2**22, spread=s)
               for s in ("skewed", "equal")]
    return series


def aspect_ratios(total, cols):
    return tuple((max(total // c, 1), c) for c in cols if c <= total)


def matrix_series():
    cols = [1, 2, 3, 4, 5, 10, 16, 17, 31, 50, 100, 256, 257, 1000, 1024, 4095, 4096, 2**14, 2**16, 2**20, 2**24]
    few = [1, 3, 10, 100, 1000, 2**14]
    size = ("rows", "cols")
    squares = tuple((n, n) for n in (8, 31, 32, 64, 100, 256, 257, 1000, 1024, 1025, 2048, 4096, 4097, 10000,
                                     16384))
    series = [
        shapes("rows", "aspect 2^24", size, aspect_ratios(2**24, cols), "cols"),
        shapes("rows", "aspect 2^12", size, aspect_ratios(2**12, cols), "cols", is_quick=True),
        shapes("rows", "rows of 50", size, tuple((r, 50) for r in (1, 2, 4, 10, 30, 100, 1000, 10**5, 10**7)), "rows"),
        shapes("transpose", "squares", size, squares, "rows", is_quick=True),
        shapes("transpose", "aspect 2^24", size, aspect_ratios(2**24, cols), "cols"),
        shapes("transpose", "8 rows", size, tuple((8, c) for c in (1, 10, 100, 1000, 10**4, 10**6)), "cols")]
    series += [shapes("rows", f"aspect {t}", size, aspect_ratios(2**22, few), "cols", dtype=t)
               for t in ("float64", "float16", "bfloat16")]
    series += [shapes("transpose", f"aspect, {b} bytes", size, aspect_ratios(2**22, few), "cols", element=b)
               for b in ("1", "2", "8", "16")]
    return series


def conv_series():
    size = ("batch", "channels", "maps", "size", "kernel")
    kernels = tuple((32, 8, 8, 40, k) for k in (1, 2, 3, 4, 5, 7, 9, 11))
    channels = tuple((16, c, c, 32, 3) for c in (1, 2, 3, 4, 8, 16, 31, 32, 64, 128))
    batches = tuple((b, 1, 4, 86, 7) for b in (1, 4, 16, 64, 256, 1000))
    images = tuple((16, 4, 16, s, 5) for s in (8, 16, 28, 40, 64, 100, 128))
    series = [shapes("conv", "kernels", size, kernels, "kernel", is_quick=True),
              shapes("conv", "channels", size, channels, "channels"),
              shapes("conv", "batches", size, batches, "batch"), shapes("conv", "images", size, images, "size")]
    for precision in ("tf32", "fp16"):
        series += [Series("conv", f"{what} {precision}", size, values, x, {"precision": precision}, ("cuda",))
                   for what, values, x in (("kernels", kernels, "kernel"), ("channels", channels, "channels"))]
    return series


def model_series():
    series = [over("heat", f"cubes order {o}", "n", [16, 31, 32, 64, 100, 128, 200, 256, 400], order=o,
                   is_quick=o == "2") for o in ("2", "8")]
    series += [over("heat", "cubes float64", "n", [32, 64, 128, 256], order="8", dtype="float64"),
               over("heat", "steps", "steps", [1, 2, 5, 10], n=128, order="8")]
    edges = [2**k for k in range(6, 21, 2)] + [1000, 10**6]
    for workload in ("radial", "edges"):
        series += [over(workload, output, "edges", sorted(edges), output=output, is_quick=output == "forward")
                   for output in ("forward", "backward")]
    series += [over("radial", "functions", "radial", [1, 8, 16, 20, 32, 64], edges=2**16),
               over("spectral", "batches", "batch", [1, 2, 8, 32, 100, 128, 512, 1000, 4096, 16384], is_quick=True),
               over("spectral", "batches tf32", "batch", [32, 512, 16384], precision="tf32", devices=("cuda",)),
               over("forcefield", "student", "molecules", [1, 4, 16, 64, 256, 1024], model="student"),
               over("forcefield", "painn", "molecules", [1, 16, 256], model="painn")]
    return series


def all_series():
    """Every op, on both devices."""
    all_types = list(ELEMENT_BYTES)
    series = [s for workload in ("fill", "mul_add", "sum") for s in sizes_and_types(workload, all_types)]
    series += sizes_and_types("extrema", all_types, find="argmin")
    series += [over("extrema", "smallest", "n", TYPE_SIZES, find="min")]
    series += sizes_and_types("elementwise", ["float64", "float16", "int32"], op="multiply")
    series += [over("elementwise", name, "n", TYPE_SIZES, fixed=fixed) for name, fixed in (
        ("scaled", {"op": "scale"}), ("iota", {"op": "iota"}), ("converted", {"op": "convert", "to": "float16"}))]
    series += sizes_and_types("scan", ["float64", "int32", "int64"])
    series += [over("scan", "inclusive", "n", TYPE_SIZES, kind="inclusive")]
    return (series + filter_series() + gather_series() + scatter_series() + matrix_series() + conv_series() +
            model_series())


def bytes_of(workload, params):
    """Estimates the memory of one set of arrays, in bytes."""
    each = ELEMENT_BYTES.get(params.get("dtype", "float32"), 4)
    n = params.get("n", 1)
    if workload == "fill":
        return n * each
    if workload in ("sum", "extrema"):
        return n * each
    if workload in ("mul_add", "elementwise"):
        return 4 * n * each
    if workload in ("scan", "filter"):
        return n * (2 * each + (20 if params.get("writes", "elements") != "elements" else 0))
    if workload == "gather":
        return params["table"] * each + n * (each + 8)
    if workload == "scatter":
        return n * (each + 8) + params["keys"] * each
    if workload == "rows":
        return params["rows"] * (params["cols"] + 1) * each
    if workload == "transpose":
        return 2 * params["rows"] * params["cols"] * int(params.get("element", 4))
    if workload == "conv":
        return params["batch"] * params["size"] ** 2 * (params["channels"] + params["maps"]) * each
    if workload == "heat":
        return 4 * n**3 * each
    if workload in ("radial", "edges"):
        return params["edges"] * 64 * 4
    return 64 << 20  # models


def x_of(series, params):
    return float(params[series.x]) if series.x else math.nan


def key_of(workload, device, params):
    """The identity of a point in a results file."""
    return f"{workload} {device} " + " ".join(f"{name}={params[name]}" for name in sorted(params))
