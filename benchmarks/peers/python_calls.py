"""Times calls of the Python package on arrays so small that the call is all there is: python_calls.py [cpu|cuda]

Prints microseconds for each call, rafter's and that of NumPy or PyTorch: the least of five runs of 3000 calls. On a GPU
this is the time to enqueue the work."""
import sys
import time

import numpy as np

import rafter


def microseconds(function, wait=lambda: None, calls=3000):
    best = float("inf")
    for _ in range(5):
        wait()
        begin = time.perf_counter()
        for _ in range(calls):
            function()
        best = min(best, (time.perf_counter() - begin) / calls * 1e6)
    wait()
    return best


def show(name, ours, theirs, wait=lambda: None):
    print(f"{name:32} {microseconds(ours, wait):8.2f} {microseconds(theirs, wait):8.2f}")


def main(device):
    print(f"{'':32} {'rafter':>8} {'theirs':>8}")
    if device == "cpu":
        x, element, out = np.ones(8, np.float32), np.empty((), np.float32), np.empty(8, np.float32)
        show("numpy sum(x)", lambda: rafter.sum(x), lambda: np.sum(x))
        show("numpy sum(x, out=element)", lambda: rafter.sum(x, out=element), lambda: np.sum(x, out=element))
        show("numpy multiply(x, x, out=out)", lambda: rafter.multiply(x, x, out=out), lambda: np.multiply(x, x, out=out))
    import torch

    import rafter.torch as ops

    t, element, out = (torch.ones(shape, device=device) for shape in (1024, (), 1024))
    wait = torch.cuda.synchronize if device == "cuda" else lambda: None
    show("torch sum(x)", lambda: rafter.sum(t), lambda: torch.sum(t), wait)
    show("torch sum(x, out=element)", lambda: rafter.sum(t, out=element), lambda: torch.sum(t, 0, out=element), wait)
    show("torch mul_add(x, x, x, out=out)", lambda: rafter.mul_add(t, t, t, out=out),
         lambda: torch.addcmul(t, t, t, out=out), wait)
    show("rafter.torch sum(x)", lambda: ops.sum(t), lambda: torch.sum(t), wait)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "cpu")
