#!/usr/bin/env python3
"""Compares `rafter run spectral` and `rafter score` with the PyTorch module, on one GPU in one run.

    python3 benchmarks/peers/torch_spectral.py --rafter build/cuda/rafter [--batches 32,512,16384] [--compile 512]

1. The same model and windows through both: PyTorch in float64, and `rafter score` from a safetensors and an .npy file.
2. Times of synchronised calls between events, with the L2 flushed before each: PyTorch eager, as a CUDA graph and
   compiled, in fp32 and with tf32 products, and Rafter's op from its own table.
3. The effect of common mistakes: launches without synchronisation, the same module in both columns, a warm cache.
"""

import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from peer_times import as_graph, rafter_us
from safetensors_files import write_safetensors

CONFIGS = {
    "original": (64, 5, 32, 64),
    "medium": (128, 10, 128, 256),
    "large": (256, 10, 256, 512),
    "xlarge": (512, 10, 512, 1024),
    "xxlarge": (1024, 10, 1024, 2048),
}


class SpectralShapeAutoencoder(nn.Module):
    def __init__(self, mels, frames, latent, slice_):
        super().__init__()
        self.mels, self.frames = mels, frames
        self.slice_encoder = nn.Sequential(nn.LayerNorm(mels), nn.Linear(mels, slice_), nn.GELU())
        self.global_basis = nn.Parameter(torch.randn(latent, frames * slice_))
        self.bottleneck_mlp = nn.Sequential(nn.LayerNorm(latent), nn.Linear(latent, latent), nn.GELU())
        self.slice_decoder = nn.Sequential(nn.Linear(slice_, mels))

    def forward(self, x):
        n = x.shape[0]
        flat = self.slice_encoder(x.view(n, self.frames, self.mels)).reshape(n, -1)
        basis = F.normalize(self.global_basis, dim=1)
        z = self.bottleneck_mlp(flat @ basis.t())
        rebuilt = (z @ basis).view(n, self.frames, -1)
        return self.slice_decoder(rebuilt).reshape(n, -1)


class Bench:
    """Medians of calls, in microseconds."""

    def __init__(self):
        self.flushed = torch.empty(2**28, dtype=torch.uint8, device="cuda")

    def cold(self, call, n=30, flush=True):
        for _ in range(5):
            call()
        times = []
        for _ in range(n):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            if flush:
                self.flushed.zero_()
            begin.record()
            call()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) * 1e3)
        return statistics.median(times)

    @staticmethod
    def launches_only(call, n=30):
        """Returns the time on the host clock without synchronisation."""
        torch.cuda.synchronize()
        times = []
        for _ in range(n):
            begin = time.perf_counter()
            call()
            times.append((time.perf_counter() - begin) * 1e6)
            torch.cuda.synchronize()
        return statistics.median(times)


def op_us(tool, batch, config, precision, regime):
    settings = {"device": "cuda", "batch": batch, "config": config, "precision": precision, "regime": regime}
    return rafter_us(tool, "spectral", "by_shape", settings)


def check_scores(tool, model, batch, config):
    mels, frames, _, _ = CONFIGS[config]
    x = torch.randn(batch, frames * mels, device="cuda") * 3 - 20
    with torch.no_grad():
        exact = model.double()(x.double())
        expected = ((exact - x.double()) ** 2).mean(dim=1).cpu().numpy()
        model.float()
    with tempfile.TemporaryDirectory() as folder:
        weights, windows, scores = (str(Path(folder) / name) for name in ("m.safetensors", "x.npy", "s.npy"))
        write_safetensors(weights, dict(model.state_dict()))
        np.save(windows, x.cpu().numpy())
        subprocess.run([tool, "score", "--device", "cuda", "--model", weights, "--input", windows, "--output", scores],
                       check=True, capture_output=True)
        error = np.abs(np.load(scores) - expected) / (1 + expected)
    print(f"rafter score against PyTorch in float64, {config}, {batch} windows: error at most {error.max():.1e}")
    if not error.max() < 1e-4:
        raise SystemExit("the scores differ from those of the module")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rafter", default="./rafter")
    parser.add_argument("--batches", default="1,32,64,128,256,512,2048,16384")
    parser.add_argument("--compile", default="", help="batches at which torch.compile is timed, too")
    parser.add_argument("--large", default="", help="CONFIG:BATCH, in tf32")
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_grad_enabled(False)
    bench = Bench()
    model = SpectralShapeAutoencoder(*CONFIGS["original"]).cuda().eval()
    check_scores(options.rafter, model, 1000, "original")

    def modes(model, x, precision):
        torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
        eager = lambda: model(x)
        return bench.cold(eager), bench.cold(as_graph(eager))

    compiled_at = [int(b) for b in options.compile.split(",") if b]
    print(f"{'batch':>7} {'eager':>9} {'eager tf32':>10} {'graph':>9} {'graph tf32':>10} {'compiled':>9} {'rafter':>9}"
          f" {'rafter graph':>12}   us, cold")
    for batch in [int(b) for b in options.batches.split(",") if b]:
        x = torch.randn(batch, 320, device="cuda")
        eager, graph = modes(model, x, "fp32")
        eager_tf32, graph_tf32 = modes(model, x, "tf32")
        compiled = float("nan")
        if batch in compiled_at:
            torch.backends.cuda.matmul.allow_tf32 = True
            fast = torch.compile(model, mode="reduce-overhead")
            compiled = bench.cold(lambda: fast(x))
        ours = [op_us(options.rafter, batch, "original", "fp32", regime) for regime in ("cold", "graph")]
        print(f"{batch:7} {eager:9.1f} {eager_tf32:10.1f} {graph:9.1f} {graph_tf32:10.1f} {compiled:9.1f} {ours[0]:9.2f}"
              f" {ours[1]:12.2f}", flush=True)

    x = torch.randn(512, 320, device="cuda")
    torch.backends.cuda.matmul.allow_tf32 = False
    eager = lambda: model(x)
    replay = as_graph(eager)
    print("\nbatch 512, effect of common mistakes (us)")
    print(f"  eager, synchronised {bench.cold(eager):.1f}; its launches alone, not synchronised {bench.launches_only(eager):.1f}")
    print(f"  graph, synchronised {bench.cold(replay):.1f}; its launch alone, not synchronised {bench.launches_only(replay):.1f}")
    first, second = bench.cold(eager), bench.cold(eager)
    print(f"  the same module in both columns: {first:.1f} and {second:.1f}, a speed-up of {first / second:.2f}x")
    print(f"  graph with the caches flushed {bench.cold(replay):.1f}; warm from the previous call "
          f"{bench.cold(replay, flush=False):.1f}")

    if options.large:
        config, batch = options.large.split(":")
        model = SpectralShapeAutoencoder(*CONFIGS[config]).cuda().eval()
        x = torch.randn(int(batch), CONFIGS[config][0] * CONFIGS[config][1], device="cuda")
        eager, graph = modes(model, x, "tf32")
        ours = op_us(options.rafter, batch, config, "tf32", "cold")
        print(f"\n{config}, batch {batch}, tf32: eager {eager:.0f}, graph {graph:.0f}, rafter {ours:.0f} us")


if __name__ == "__main__":
    main()
