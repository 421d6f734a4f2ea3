#!/usr/bin/env python3
"""Times the library's CPU ops beside NumPy, PyTorch, pyarrow and polars, in one process.

    cmake -B build/shared -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Release && cmake --build build/shared
    python3 -m venv venv && venv/bin/pip install -r benchmarks/peers/cpu_peers.txt
    venv/bin/python benchmarks/peers/cpu_peers.py build/shared/src/library/librafter_c.so.1

Prints a Markdown table for each number of threads: the least CPU time of a call of each library (all threads of the
process), and how many times as long the fastest peer takes, in CPU time and in elapsed time. The calls of a line are
interleaved, and each begins when the threads of the previous one sleep. Every result is compared with NumPy's first.
Rafter and NumPy write to arrays that exist; others do so where they offer it. A library that has no such op is left
out.
"""

import argparse
import ctypes
import json
import os
import platform
import subprocess
import sys
import time

TYPE_CODES = {"f": 2, "i": 0}  # DLPack's type codes by NumPy's kinds


class Tensor(ctypes.Structure):
    """DLPack's DLTensor."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Scalar(ctypes.Structure):
    _fields_ = [("real", ctypes.c_double), ("integer", ctypes.c_int64)]


class Predicate(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("op", ctypes.c_int32), ("operand", ctypes.c_int32),
                ("bound", Scalar)]


class Error(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("status", ctypes.c_int32), ("message", ctypes.c_char_p),
                ("function", ctypes.c_char_p), ("argument", ctypes.c_char_p)]


class Rafter:
    """The C API on a stream of the CPU."""

    def __init__(self, path, n_threads):
        self.library = ctypes.CDLL(path)
        self.library.rafter_last_error.restype = ctypes.POINTER(Error)
        self.library.rafter_version.restype = ctypes.c_char_p
        self.stream = ctypes.c_void_p()
        self.check(self.library.rafter_stream_cpu(n_threads, ctypes.byref(self.stream)))

    def check(self, status):
        if status != 0:
            raise RuntimeError(self.library.rafter_last_error().contents.message.decode())

    def call(self, name, *arguments):
        """Returns a function that calls rafter_NAME with these arguments; arrays are passed as tensors."""
        kept = [tensor(a) if hasattr(a, "__array_interface__") else a for a in arguments]
        passed = [ctypes.byref(a) if isinstance(a, (Tensor, Predicate)) else a for a in kept]
        function = getattr(self.library, "rafter_" + name)

        def run():
            if function(self.stream, *passed) != 0:
                self.check(1)

        run.kept = kept
        return run


def tensor(array):
    shape = (ctypes.c_int64 * array.ndim)(*array.shape)
    code, bits = TYPE_CODES[array.dtype.kind], 8 * array.itemsize
    made = Tensor(array.ctypes.data, 1, 0, array.ndim, code, bits, 1, shape, None, 0)
    made.kept = (array, shape)
    return made


class Libraries:
    """The modules, imported after the number of threads is set."""

    def __init__(self, path, n_threads):
        os.environ["POLARS_MAX_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(n_threads)
        os.environ["RAFTER_NUM_THREADS"] = str(n_threads)
        import numpy
        import polars
        import pyarrow
        import pyarrow.compute
        import torch
        torch.set_num_threads(n_threads)
        pyarrow.set_cpu_count(n_threads)
        self.np, self.pl, self.pa, self.pc, self.torch = numpy, polars, pyarrow, pyarrow.compute, torch
        self.rafter = Rafter(path, n_threads)
        self.random = numpy.random.default_rng(1)

    def versions(self):
        modules = (self.np, self.torch, self.pa, self.pl)
        return ", ".join(f"{m.__name__} {m.__version__}" for m in modules)

    def numbers(self, n, dtype="float32"):
        if dtype.startswith("int"):
            return self.random.integers(0, 10**6, n).astype(dtype)
        return self.random.random(n, dtype="float32").astype(dtype)

    def empty(self, shape, dtype="float32"):
        return self.np.zeros(shape, dtype)  # with its pages present


# Each case returns the functions of the libraries and, to compare them, what each computed as an array.


def fill(l, n):
    ours, numpys, torchs = (l.empty(n) for _ in range(3))
    as_torch = l.torch.from_numpy(torchs)
    return {"rafter": (l.rafter.call("fill", Scalar(2.5, 0), ours), lambda _: ours),
            "numpy": (lambda: numpys.fill(2.5), lambda _: numpys),
            "torch": (lambda: as_torch.fill_(2.5), lambda _: torchs),
            "polars": (lambda: l.pl.repeat(2.5, n, dtype=l.pl.Float32, eager=True), lambda x: x.to_numpy()),
            "pyarrow": (lambda: l.pa.repeat(l.pa.scalar(2.5, l.pa.float32()), n), lambda x: x.to_numpy())}


def mul_add(l, n):
    a, b, c = (l.numbers(n) for _ in range(3))
    ours, numpys, torchs = (l.empty(n) for _ in range(3))
    t = [l.torch.from_numpy(x) for x in (a, b, c, torchs)]
    p = [l.pl.Series(x) for x in (a, b, c)]
    w = [l.pa.array(x) for x in (a, b, c)]

    def numpy():
        l.np.multiply(a, b, out=numpys)
        l.np.add(numpys, c, out=numpys)

    return {"rafter": (l.rafter.call("mul_add", a, b, c, ours), lambda _: ours),
            "numpy": (numpy, lambda _: numpys),
            "torch": (lambda: l.torch.addcmul(t[2], t[0], t[1], out=t[3]), lambda _: torchs),
            "polars": (lambda: p[0] * p[1] + p[2], lambda x: x.to_numpy()),
            "pyarrow": (lambda: l.pc.add(l.pc.multiply(w[0], w[1]), w[2]), lambda x: x.to_numpy())}


def sum_of(l, n, dtype="float32"):
    x = l.numbers(n, dtype)
    ours = l.empty(1, "int64" if dtype.startswith("int") else dtype)
    t, p, w = l.torch.from_numpy(x), l.pl.Series(x), l.pa.array(x)
    return {"numpy": (lambda: x.sum(), l.np.asarray), "rafter": (l.rafter.call("sum", x, ours), lambda _: ours[0]),
            "torch": (lambda: t.sum(), lambda y: y.numpy()), "polars": (p.sum, l.np.asarray),
            "pyarrow": (lambda: l.pc.sum(w), lambda y: l.np.asarray(y.as_py()))}


def row_sums(l, n_rows, n_cols):
    x = l.numbers(n_rows * n_cols).reshape(n_rows, n_cols)
    ours, numpys, torchs = (l.empty(n_rows) for _ in range(3))
    t = l.torch.from_numpy(x), l.torch.from_numpy(torchs)
    return {"rafter": (l.rafter.call("row_sums", x, ours), lambda _: ours),
            "numpy": (lambda: l.np.sum(x, axis=1, out=numpys), lambda _: numpys),
            "torch": (lambda: l.torch.sum(t[0], 1, out=t[1]), lambda _: torchs)}


def scan(l, n, dtype="float32"):
    x = l.numbers(n, dtype)
    ours, numpys, torchs = (l.empty(n, dtype) for _ in range(3))
    t, p, w = (l.torch.from_numpy(x), l.torch.from_numpy(torchs)), l.pl.Series(x), l.pa.array(x)
    return {"rafter": (l.rafter.call("inclusive_sum", x, ours), lambda _: ours),
            "numpy": (lambda: l.np.cumsum(x, out=numpys), lambda _: numpys),
            "torch": (lambda: l.torch.cumsum(t[0], 0, out=t[1]), lambda _: torchs),
            "polars": (p.cum_sum, lambda y: y.to_numpy()),
            "pyarrow": (lambda: l.pc.cumulative_sum(w), lambda y: y.to_numpy())}


def filter_of(l, n, share, dtype="float32"):
    x = l.numbers(n, dtype)
    is_integer = dtype.startswith("int")
    bound = int(share * 10**6) if is_integer else share
    keep = Predicate(ctypes.sizeof(Predicate), 0, 0, Scalar(0, bound) if is_integer else Scalar(bound, 0))
    ours, count = l.empty(n, dtype), l.empty(1, "int64")
    t, p, w = l.torch.from_numpy(x), l.pl.Series(x), l.pa.array(x)
    return {"numpy": (lambda: x[x < bound], l.np.asarray),
            "rafter": (l.rafter.call("filter", x, keep, 0, ours, count), lambda _: ours[: count[0]]),
            "torch": (lambda: t[t < bound], lambda y: y.numpy()),
            "polars": (lambda: p.filter(p < bound), lambda y: y.to_numpy()),
            "pyarrow": (lambda: l.pc.filter(w, l.pc.less(w, l.pa.scalar(bound, w.type))), lambda y: y.to_numpy())}


def gather(l, n_table, n):
    table, index = l.numbers(n_table), l.random.integers(0, n_table, n)
    ours, numpys, torchs, bad = l.empty(n), l.empty(n), l.empty(n), l.empty(2, "int64")
    t = [l.torch.from_numpy(x) for x in (table, index, torchs)]
    p, w = (l.pl.Series(table), l.pl.Series(index)), (l.pa.array(table), l.pa.array(index))
    return {"rafter": (l.rafter.call("gather", table, index, 0, ours, bad), lambda _: ours),
            "numpy": (lambda: l.np.take(table, index, out=numpys, mode="clip"), lambda _: numpys),
            "torch": (lambda: l.torch.index_select(t[0], 0, t[1], out=t[2]), lambda _: torchs),
            "polars": (lambda: p[0].gather(p[1]), lambda y: y.to_numpy()),
            "pyarrow": (lambda: l.pc.take(w[0], w[1]), lambda y: y.to_numpy())}


def scatter(l, n, n_keys):
    values, keys = l.numbers(n), l.random.integers(0, n_keys, n)
    ours, torchs = l.empty(n_keys), l.empty(n_keys)
    t = [l.torch.from_numpy(x) for x in (values, keys, torchs)]
    frame = l.pl.DataFrame({"key": keys, "value": values})
    table = l.pa.table({"key": keys, "value": values})

    def torch():
        t[2].zero_()
        t[2].index_add_(0, t[1], t[0])

    def by_key(keys_of, sums):
        result = l.np.zeros(n_keys)
        result[keys_of] = sums
        return result

    return {"numpy": (lambda: l.np.bincount(keys, values, n_keys), l.np.asarray),
            "rafter": (l.rafter.call("scatter", keys, values, 0, 0, ours, None, None), lambda _: ours),
            "torch": (torch, lambda _: torchs),
            "polars": (lambda: frame.group_by("key").agg(l.pl.col("value").sum()),
                       lambda y: by_key(y["key"].to_numpy(), y["value"].to_numpy())),
            "pyarrow": (lambda: table.group_by("key").aggregate([("value", "sum")]),
                        lambda y: by_key(y["key"].to_numpy(), y["value_sum"].to_numpy()))}


def argmin(l, n):
    x = l.numbers(n)
    ours = l.empty(1, "int64")
    t, p = l.torch.from_numpy(x), l.pl.Series(x)
    return {"numpy": (x.argmin, l.np.asarray), "rafter": (l.rafter.call("argmin", x, ours), lambda _: ours[0]),
            "torch": (t.argmin, lambda y: y.numpy()), "polars": (p.arg_min, l.np.asarray)}


def transpose(l, n_rows, n_cols):
    x = l.numbers(n_rows * n_cols).reshape(n_rows, n_cols)
    ours, numpys, torchs = (l.empty((n_cols, n_rows)) for _ in range(3))
    t = l.torch.from_numpy(x), l.torch.from_numpy(torchs)
    return {"rafter": (l.rafter.call("transpose", x, ours), lambda _: ours),
            "numpy": (lambda: l.np.copyto(numpys, x.T), lambda _: numpys),
            "torch": (lambda: t[1].copy_(t[0].t()), lambda _: torchs)}


def conv(l, batch, channels, maps, size, kernel):
    x = l.numbers(batch * channels * size * size).reshape(batch, channels, size, size)
    k = l.numbers(maps * channels * kernel * kernel).reshape(maps, channels, kernel, kernel)
    side = size - kernel + 1
    ours = l.empty((batch, maps, side, side))
    t = l.torch.from_numpy(x), l.torch.from_numpy(k)

    def torch():
        with l.torch.no_grad():
            return l.torch.nn.functional.conv2d(*t)

    return {"torch": (torch, lambda y: y.numpy()), "rafter": (l.rafter.call("conv", x, k, None, ours), lambda _: ours)}


CASES = {
    "fill 2^16": (fill, 2**16), "fill 2^24": (fill, 2**24),
    "mul_add 2^16": (mul_add, 2**16), "mul_add 2^24": (mul_add, 2**24),
    "sum 2^10": (sum_of, 2**10), "sum 2^16": (sum_of, 2**16), "sum 2^25": (sum_of, 2**25),
    "sum 2^24 float64": (sum_of, 2**24, "float64"),
    "argmin 2^16": (argmin, 2**16), "argmin 2^25": (argmin, 2**25),
    "rows 100 x 50": (row_sums, 100, 50), "rows 10^6 x 10": (row_sums, 10**6, 10),
    "rows 1000 x 10^4": (row_sums, 1000, 10**4),
    "scan 2^16": (scan, 2**16), "scan 2^24": (scan, 2**24), "scan 2^23 int64": (scan, 2**23, "int64"),
    **{f"filter 2^22 {dtype} {share:.0%}": (filter_of, 2**22, share, dtype)
       for dtype in ("float32", "int64") for share in (0.01, 0.5, 0.99)},
    "filter 2^16 50%": (filter_of, 2**16, 0.5),
    "gather 2^22 of 2^12": (gather, 2**12, 2**22), "gather 2^22 of 2^18": (gather, 2**18, 2**22),
    "gather 2^22 of 2^22": (gather, 2**22, 2**22),
    "scatter 2^22, 1000 keys": (scatter, 2**22, 1000), "scatter 2^22, 10^5 keys": (scatter, 2**22, 10**5),
    "transpose 8 x 1000": (transpose, 8, 1000), "transpose 4096 x 4096": (transpose, 4096, 4096),
    "transpose 10^6 x 10": (transpose, 10**6, 10),
    "conv 1->4 7x7, 20 of 86^2": (conv, 20, 1, 4, 86, 7), "conv 4->16 7x7, 20 of 40^2": (conv, 20, 4, 16, 40, 7),
    "conv 32->32 5x5, 8 of 32^2": (conv, 8, 32, 32, 32, 5), "conv 64->64 3x3, 4 of 56^2": (conv, 4, 64, 64, 56, 3),
}
COLUMNS = ("rafter", "numpy", "torch", "pyarrow", "polars")


def require_same(np, name, results):
    """Compares every library's result with the first. Sums of float32 in different orders differ in their last bits."""
    first, expected = next(iter(results.items()))
    for library, result in results.items():
        if not np.allclose(np.asarray(result, "float64"), np.asarray(expected, "float64"), rtol=2e-3):
            raise RuntimeError(f"{name}: the results of {library} and {first} differ")


def least_ns(calls, seconds):
    """Returns the least CPU and elapsed times of each call. Rounds are interleaved. A short call is repeated, so that
    reading the clocks does not count."""
    repeats = {}
    for name, call in calls.items():
        start = time.perf_counter_ns()
        call()
        repeats[name] = max(1, min(1000, 200_000 // max(time.perf_counter_ns() - start, 1)))
    least = {name: [float("inf")] * 2 for name in calls}
    end = time.monotonic() + seconds
    rounds = 0
    while rounds < 5 or time.monotonic() < end:
        for name, call in calls.items():
            time.sleep(0.0003)  # threads that poll for work fall asleep
            cpu, wall = time.process_time_ns(), time.perf_counter_ns()
            for _ in range(repeats[name]):
                call()
            wall, cpu = time.perf_counter_ns() - wall, time.process_time_ns() - cpu
            least[name] = [min(a, b / repeats[name]) for a, b in zip(least[name], (cpu, wall))]
        rounds += 1
    return least


def measure(options):
    """Measures in this process, with the one number of threads of the options; prints JSON."""
    libraries = Libraries(options.library, options.threads[0])
    times = {}
    for name, (make, *sizes) in CASES.items():
        if not any(name.startswith(word) for word in options.only or [""]):
            continue
        functions = make(libraries, *sizes)
        require_same(libraries.np, name, {which: result(call()) for which, (call, result) in functions.items()})
        times[name] = least_ns({which: call for which, (call, _) in functions.items()}, options.seconds)
        print(f"{options.threads[0]} threads, {name}", file=sys.stderr, flush=True)
    print(json.dumps({"versions": libraries.versions(), "times": times}))


def show(ns):
    return f"{ns / 1e3:.3g} us" if ns < 1e6 else f"{ns / 1e6:.3g} ms"


def table(times):
    lines = ["| case | " + " | ".join(COLUMNS) + " | fastest peer, CPU | elapsed |", "|---" * (len(COLUMNS) + 3) + "|"]
    for name, of_case in times.items():
        cells = [show(of_case[library][0]) if library in of_case else "" for library in COLUMNS]
        for which in (0, 1):
            best = min(ns[which] for library, ns in of_case.items() if library != "rafter")
            ratio = f"{best / of_case['rafter'][which]:.2f}x"
            cells.append(ratio if best >= of_case["rafter"][which] else f"**{ratio}**")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def cpu_name():
    with open("/proc/cpuinfo") as info:
        names = [line.split(":")[1].strip() for line in info if line.startswith("model name")]
    return names[0] if names else platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", help="librafter_c.so.1")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", nargs="+", metavar="PREFIX", help="only cases whose names start with one of these")
    parser.add_argument("--seconds", type=float, default=2, help="timing of a case (default: 2)")
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.json:
        return measure(options)
    for i, n_threads in enumerate(options.threads):
        # A process for each: polars reads the number of its threads when it is imported.
        words = [sys.executable, __file__, options.library, "--json", "--threads", str(n_threads), "--seconds",
                 str(options.seconds)] + (["--only", *options.only] if options.only else [])
        measured = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)
        if i == 0:
            print(f"{cpu_name()}, {os.cpu_count()} cores; Python {platform.python_version()}, {measured['versions']}")
        print(f"\n{n_threads} thread{'s' if n_threads > 1 else ''}:\n\n{table(measured['times'])}", flush=True)


if __name__ == "__main__":
    main()
