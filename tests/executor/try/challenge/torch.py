"""As much of PyTorch as the challenge of the tests uses, so that they need no package."""

import random
import sys


class Dtype:
    def __init__(self, name, size):
        self.name, self.size = name, size

    def __str__(self):
        return f"torch.{self.name}"


float32, int32 = Dtype("float32", 4), Dtype("int32", 4)


class Tensor:
    def __init__(self, values, dtype):
        self.values, self.dtype, self.shape = list(values), dtype, (len(values),)

    def numel(self):
        return len(self.values)

    def element_size(self):
        return self.dtype.size

    def tolist(self):
        return self.values

    def clone(self):
        return Tensor(self.values, self.dtype)

    def detach(self):
        return self

    cpu = contiguous = flatten = detach

    def copy_(self, other):
        self.values = list(other.values)

    def is_floating_point(self):
        return self.dtype is float32

    def min(self):
        return min(self.values)

    def max(self):
        return max(self.values)

    def to(self, dtype):
        return self

    def reshape(self, shape):
        return self

    def __getitem__(self, places):
        return Tensor([self.values[place] for place in places.values], self.dtype)

    def __eq__(self, other):
        return Tensor([a == b for a, b in zip(self.values, other.values)], self.dtype)

    def all(self):
        return all(self.values)

    def __mul__(self, other):
        return Tensor([a * b for a, b in zip(self.values, other.values)], self.dtype)

    def __rmul__(self, factor):
        return Tensor([factor * value for value in self.values], self.dtype)

    def __radd__(self, addend):
        return Tensor([addend + value for value in self.values], self.dtype)


def tensor(values, dtype=float32, device=None):
    return Tensor(values, dtype)


def empty(n, dtype=float32, device=None):
    return Tensor([0] * (n if isinstance(n, int) else n[0]), dtype)


def zeros(n, dtype=float32, device=None):
    return Tensor([0] * n, dtype)


def manual_seed(seed):
    pass


# ---- for definitions of FlashInfer-Trace ----


def randn(shape):
    return Tensor([random.gauss(0, 1) for _ in range(shape[0])], float32)


def randint(low, high, shape):
    return Tensor([random.randrange(low, high) for _ in range(shape[0])], int32)


# ---- for problems of Tensara ----


class Generator:
    def manual_seed(self, seed):
        return self


def rand(n, dtype=float32, device=None, generator=None):
    return Tensor([random.random() for _ in range(n if isinstance(n, int) else n[0])], dtype)


def empty_like(tensor):
    return Tensor([0] * tensor.numel(), tensor.dtype)


def allclose(a, b, rtol=1e-5, atol=1e-8):
    return all(abs(x - y) <= atol + rtol * abs(y) for x, y in zip(a.values, b.values))


class TorchFunctionMode:
    """Sees no calls here: the tests ask for no GPU."""

    def __enter__(self):
        return self


sys.modules["torch.overrides"] = sys.modules[__name__]
