"""Arguments of kernels: arrays and numbers as the executor takes them, checked against the kernel's signature."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy

_TYPES = {"bool": "bool", "float16": "f16", "float32": "f32", "float64": "f64", "int8": "i8", "int16": "i16",
          "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64"}
_PARAMETER = re.compile(r"(?P<const>const )?(?P<type>\?|[a-z]+\d*)(?:x(?P<components>\d))?(?P<pointer> ?\*)? (?P<name>\w+)")


class Holder:
    """An array with a direction, as PyCUDA's In, Out and InOut: whether the kernel gets its contents, and whether the
    array gets the kernel's results."""

    def __init__(self, array: Any, reads: bool, writes: bool) -> None:
        self.array, self.reads, self.writes = array, reads, writes


class Parameter:
    """A parameter of a kernel."""

    def __init__(self, text: str) -> None:
        match = _PARAMETER.fullmatch(text)
        if match is None:  # a type that the executor has no name for
            self.name, self.type, self.is_pointer, self.is_const, self.components = text.split()[-1], "?", False, False, 1
        else:
            self.name, self.type = match["name"], match["type"]
            self.is_pointer, self.is_const = match["pointer"] is not None, match["const"] is not None
            self.components = int(match["components"] or 1)
            if self.components > 1 and not self.is_pointer:  # a vector as a value
                self.type = "?"
        self.text = text

    def __repr__(self) -> str:
        return self.text


def parse_signature(line: str) -> list[Parameter]:
    """Returns the parameters of a line such as `scale<float>(f32* x, f32 factor)`."""
    inside = line[line.rindex("(", 0, line.index(")", line.rindex("(")) + 1) + 1:line.rindex(")")]
    return [Parameter(text) for text in inside.split(", ")] if inside else []


def as_numpy(name: str, value: Any) -> numpy.ndarray[Any, Any]:
    """Returns the memory of an array on the CPU as a NumPy array, without a copy."""
    if isinstance(value, numpy.ndarray):
        return value
    if getattr(value, "requires_grad", False):
        raise ValueError(f"{name} requires gradients, which kernels do not compute: pass {name}.detach()")
    device = getattr(value, "device", None)
    if getattr(device, "type", "cpu") != "cpu":
        raise ValueError(f"{name} should be on the CPU, where the executor runs kernels, is on {device}")
    if hasattr(value, "numpy"):
        try:
            array: numpy.ndarray[Any, Any] = value.numpy()
            return array
        except TypeError as error:
            raise TypeError(f"{name} should have a type that NumPy has: {error}") from None
    if hasattr(value, "__dlpack__"):
        try:
            return numpy.from_dlpack(value)
        except (BufferError, RuntimeError) as error:
            raise ValueError(f"{name} cannot be used on the CPU in place: {error}") from None
    try:
        return numpy.asarray(memoryview(value))
    except TypeError:
        raise TypeError(f"{name} should be an array (of NumPy, PyTorch, or with DLPack or a buffer), "
                        f"is {type(value).__name__}") from None


class Bound:
    """One argument of one call."""

    def __init__(self, parameter: Parameter, value: Any) -> None:
        self.parameter = parameter
        self.array: numpy.ndarray[Any, Any] | None = None
        self.reads, self.writes = True, parameter.is_pointer and not parameter.is_const
        if isinstance(value, Holder):
            self.reads, self.writes, value = value.reads, value.writes and self.writes, value.array
        if parameter.type == "?":
            raise TypeError(f"{parameter.name} has a type that load_module cannot pass: write a small program around "
                            "the kernel, and run it with rafter.run()")
        if parameter.is_pointer:
            self._bind_array(value)
        else:
            self.text = self._number(value)

    def _bind_array(self, value: Any) -> None:
        name, parameter = self.parameter.name, self.parameter
        if value is None:
            self.text = "null"
            return
        if hasattr(value, "as_elements"):  # memory of rafter.pycuda.driver.mem_alloc, which has no type of its own
            value = value.as_elements(next(full for full, short in _TYPES.items() if short == parameter.type))
        array = as_numpy(name, value)
        if _TYPES.get(array.dtype.name) != parameter.type:
            wanted = next((full for full, short in _TYPES.items() if short == parameter.type), parameter.type)
            raise TypeError(f"{name} should be {wanted}, as the kernel's '{parameter.text}' says, is {array.dtype.name}")
        if not array.dtype.isnative:
            raise ValueError(f"{name} should have the byte order of this machine, has the other one")
        if not array.flags.c_contiguous:
            raise ValueError(f"{name} should be contiguous, has the strides {array.strides} of bytes")
        if self.writes and not array.flags.writeable:
            raise ValueError(f"{name} should be writable, is read-only")
        if array.size % parameter.components != 0:
            raise ValueError(f"{name} should have a multiple of {parameter.components} elements, has {array.size}")
        self.array = array
        shape = ",".join(map(str, array.shape or (1,)))
        self.text = f"{parameter.type}[{shape}]"

    def _number(self, value: Any) -> str:
        name, kind = self.parameter.name, self.parameter.type
        try:
            if kind == "bool":
                return str(int(bool(value)))
            if kind[0] in "iu":
                number = value.__index__()
                bits, low = int(kind[1:]), 0 if kind[0] == "u" else -(1 << (int(kind[1:]) - 1))
                if not low <= number < low + (1 << bits):
                    raise ValueError(f"{name} should fit {kind}, is {number}")
                return str(number)
            number = float(value)
            return repr(number)
        except (TypeError, AttributeError):
            wanted = "an integer" if kind[0] in "iu" else "a number"
            raise TypeError(f"{name} should be {wanted}, as the kernel's '{self.parameter.text}' says, "
                            f"is {type(value).__name__}") from None

    def write(self, folder: Path) -> str:
        """Writes the contents to the folder and returns the text of --arg."""
        if self.array is None:
            return f"{self.parameter.name}={self.text}"
        if not self.reads:
            return f"{self.parameter.name}={self.text}"
        path = folder / f"{self.parameter.name}.npy"
        numpy.save(path, self.array.reshape(self.array.shape or (1,)))
        return f"{self.parameter.name}={path}"

    def saved(self, folder: Path) -> Path:
        return folder / f"{self.parameter.name}.out.npy"

    def read(self, folder: Path) -> None:
        """Copies the results from the folder to the caller's array, if the kernel wrote them."""
        path = self.saved(folder)
        if self.array is not None and path.exists():
            self.array[...] = numpy.load(path).reshape(self.array.shape)


def require_separate(bound: list[Bound]) -> None:
    """Refuses arrays that share memory with one that the kernel may write: each argument has memory of its own."""
    arrays = [one for one in bound if one.array is not None]
    for i, first in enumerate(arrays):
        for second in arrays[i + 1:]:
            if (first.writes or second.writes) and numpy.may_share_memory(first.array, second.array):
                raise ValueError(f"{second.parameter.name} should not share memory with {first.parameter.name}: "
                                 "one of them is written, and the executor gives each argument memory of its own")
