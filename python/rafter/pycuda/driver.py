"""pycuda.driver: arrays with a direction, and memory that kernels use."""
from __future__ import annotations

from typing import Any

import numpy

from .._arguments import Holder, as_numpy


class In(Holder):
    """An array that the kernel reads. What the kernel writes to it is lost."""

    def __init__(self, array: Any) -> None:
        super().__init__(array, reads=True, writes=False)


class Out(Holder):
    """An array that the kernel writes. Its contents are not passed: reading it is an uninitialised read."""

    def __init__(self, array: Any) -> None:
        super().__init__(array, reads=False, writes=True)


class InOut(Holder):
    """An array that the kernel reads and writes."""

    def __init__(self, array: Any) -> None:
        super().__init__(array, reads=True, writes=True)


class DeviceAllocation:
    """Memory for kernels, without an element type: a kernel's parameter gives it one."""

    def __init__(self, bytes: int) -> None:
        self._bytes = numpy.zeros(bytes, numpy.uint8)

    def as_elements(self, dtype: str) -> numpy.ndarray[Any, Any]:
        """Returns the memory as elements of a type; bytes after the last whole element are left out."""
        size = numpy.dtype(dtype).itemsize
        return self._bytes[:self._bytes.size // size * size].view(dtype)

    def free(self) -> None:
        """Frees the memory."""
        self._bytes = numpy.zeros(0, numpy.uint8)


def mem_alloc(bytes: int) -> DeviceAllocation:
    """Returns memory of this size."""
    if bytes <= 0:
        raise ValueError(f"bytes should be at least 1, is {bytes}")
    return DeviceAllocation(bytes)


def _bytes_of(name: str, array: Any) -> numpy.ndarray[Any, Any]:
    memory = as_numpy(name, array)
    if not memory.flags.c_contiguous:
        raise ValueError(f"{name} should be contiguous, has the strides {memory.strides} of bytes")
    return memory.reshape(-1).view(numpy.uint8)


def memcpy_htod(dest: DeviceAllocation, src: Any) -> None:
    """Copies an array to memory of mem_alloc()."""
    source = _bytes_of("src", src)
    if source.size > dest._bytes.size:
        raise ValueError(f"src should have at most {dest._bytes.size} bytes, has {source.size}")
    dest._bytes[:source.size] = source


def memcpy_dtoh(dest: Any, src: DeviceAllocation) -> None:
    """Copies memory of mem_alloc() to an array."""
    target = _bytes_of("dest", dest)
    if target.size > src._bytes.size:
        raise ValueError(f"dest should have at most {src._bytes.size} bytes, has {target.size}")
    target[:] = src._bytes[:target.size]


def memcpy_dtod(dest: DeviceAllocation, src: DeviceAllocation, size: int) -> None:
    """Copies bytes between two allocations."""
    dest._bytes[:size] = src._bytes[:size]


def to_device(array: Any) -> DeviceAllocation:
    """Returns new memory with the contents of an array."""
    allocation = mem_alloc(_bytes_of("array", array).size)
    memcpy_htod(allocation, array)
    return allocation


def from_device(devptr: DeviceAllocation, shape: Any, dtype: Any) -> numpy.ndarray[Any, Any]:
    """Returns memory as a new array."""
    array = numpy.empty(shape, dtype)
    memcpy_dtoh(array, devptr)
    return array


def init(flags: int = 0) -> None:
    """Does nothing: the executor needs no initialisation."""


class Context:
    """The context of the executor, in which every call has finished when it returns."""

    @staticmethod
    def synchronize() -> None:
        """Does nothing: a launch has finished when it returns."""
