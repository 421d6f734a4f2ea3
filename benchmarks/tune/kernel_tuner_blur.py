"""Searches the space of examples/blur/2_tiled.cu with Kernel Tuner (PyPI: kernel_tuner) and CuPy on this machine's GPU.

    python3 benchmarks/tune/kernel_tuner_blur.py [SIZE] [STRATEGY]

Prints the best point, its time and the duration of the search. docs/bench.md has Rafter's search of the same space.
"""
import sys
import time
from collections import OrderedDict

import numpy as np
from kernel_tuner import tune_kernel

size = int(sys.argv[1]) if len(sys.argv) > 1 else 8192
strategy = sys.argv[2] if len(sys.argv) > 2 else "brute_force"
source = open("examples/blur/2_tiled.cu").read()
image = np.random.default_rng(1).random((size, size), dtype=np.float32)
out = np.zeros_like(image)

# The reference, by cumulative sums in float64.
padded = np.pad(image.astype(np.float64), 3)[:-1, :-1]
sums = padded.cumsum(0).cumsum(1)
box = lambda a: a[5:, 5:] - a[5:, :-5] - a[:-5, 5:] + a[:-5, :-5]
n = np.minimum(np.arange(size) + 2, size - 1) - np.maximum(np.arange(size) - 2, 0) + 1
answer = (box(sums) / np.outer(n, n)).astype(np.float32)

space = OrderedDict(TX=[16, 32, 64, 128, 256], TY=[1, 2, 4, 8, 16], PER=[1, 2, 4, 8])
began = time.perf_counter()
results, _ = tune_kernel(
    "blur", 'extern "C" {\n' + source.replace("constexpr int radius", "constexpr int radius") + "}\n",
    (size, size), [image, out, np.int32(size), np.int32(size)], space,
    grid_div_x=["TX"], grid_div_y=["TY*PER"], block_size_names=["TX", "TY", "unused"],
    restrictions=["TX*TY <= 1024", "TX*TY >= 32"], answer=[None, answer, None, None], atol=1e-5,
    strategy=strategy, lang="cupy", quiet=True)
took = time.perf_counter() - began
best = min(results, key=lambda r: r["time"] if isinstance(r["time"], float) else 1e9)
print(f"Kernel Tuner, {strategy}: {len(results)} points in {took:.1f} s; "
      f"TX={best['TX']} TY={best['TY']} PER={best['PER']}: {1e3 * best['time']:.1f} us")
