"""Problems of LeetGPU: challenge.py with a class Challenge, whose base class is in core/challenge_base.py."""

import importlib.util
import sys

from cases import refuse


def load(path):
    """Returns the challenge. Its base class is in a folder above it, core/challenge_base.py."""
    for folder in path.parents:
        if (folder / "core" / "challenge_base.py").is_file():
            sys.path.insert(0, str(folder))
            break
    else:
        refuse(f"there is no core/challenge_base.py in a folder above {path}: is it in a checkout of the challenges?")
    spec = importlib.util.spec_from_file_location("challenge", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        return module.Challenge(device="cpu")
    except TypeError:
        return module.Challenge()


def mark_unset_tensors(torch):
    """Makes tensors of torch.empty() known as such: a kernel must not read them before it has written them."""
    for name in ("empty", "empty_like"):
        make = getattr(torch, name, None)
        if make is None:
            continue

        def marked(*args, make=make, **keywords):
            tensor = make(*args, **keywords)
            tensor.is_unset = True
            return tensor

        setattr(torch, name, marked)


def materialised(value, torch):
    """Turns a description of a tensor, such as RandTensor, into the tensor."""
    kind = type(value).__name__
    if kind not in ("RandTensor", "RandnTensor", "RandIntTensor", "FullTensor", "OutTensor"):
        return value
    dtype = getattr(torch, value.dtype)
    if kind == "RandTensor":
        return (torch.rand(value.shape) * (value.high - value.low) + value.low).to(dtype)
    if kind == "RandnTensor":
        return (torch.randn(value.shape) * value.std + value.mean).to(dtype)
    if kind == "RandIntTensor":
        return torch.randint(int(value.low), int(value.high), value.shape).to(dtype)
    if kind == "FullTensor":
        return torch.full(value.shape, value.value, dtype=dtype)
    return torch.empty(value.shape, dtype=dtype)


class Problem:
    """The tests of a challenge, as dictionaries with a value for each parameter of `solve`."""

    function = "solve"

    def __init__(self, path, torch):
        self.torch = torch
        self.challenge = load(path)
        mark_unset_tensors(torch)
        self.name, self.atol, self.rtol = self.challenge.name, self.challenge.atol, self.challenge.rtol
        self.roles = {name: entry[1] for name, entry in self.challenge.get_solve_signature().items()}

    def cases(self):
        example = self.challenge.generate_example_test()
        tests = (example if isinstance(example, list) else [example]) + list(self.challenge.generate_functional_test())
        for test in tests:
            yield {name: materialised(value, self.torch) for name, value in test.items()}

    def solve(self, arguments):
        self.challenge.reference_impl(**arguments)
