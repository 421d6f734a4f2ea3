"""As much of PyTorch as the challenge of the tests uses, so that they need no package."""


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


def tensor(values, dtype=float32, device=None):
    return Tensor(values, dtype)


def empty(n, dtype=float32, device=None):
    return Tensor([0] * n, dtype)


def zeros(n, dtype=float32, device=None):
    return Tensor([0] * n, dtype)


def manual_seed(seed):
    pass
