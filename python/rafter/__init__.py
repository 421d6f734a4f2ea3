"""GPU kernels at the roofline, with or without a GPU: ops on arrays, solvers, models, and the workbench.

Ops take NumPy arrays, tensors of PyTorch and other arrays with DLPack, on the device they are on, and never copy them.
docs/python.md is the guide.
"""
from __future__ import annotations

from typing import TYPE_CHECKING

from . import _core
from ._core import (
    Error,
    HeatSolver,
    Molecules,
    ScatterPlan,
    argmax,
    argmin,
    conv,
    convert,
    edge_vectors,
    exclusive_sum,
    fill,
    filter,
    filter_columns,
    filter_indices,
    gather,
    has_cuda,
    heat_advance,
    inclusive_sum,
    iota,
    maximum,
    minimum,
    mul_add,
    multiply,
    radial,
    radial_gradient,
    row_sums,
    scatter,
    scatter_gradient,
    sum,
    transpose,
)
from ._models import ForceField, SpectralAutoencoder

if TYPE_CHECKING:
    from ._bench import bench
    from ._modules import CompileError, Finding, FindingError, Kernel, Module, SourceModule, load_module
    from ._tool import ToolError, cmake_prefix, tool
    from ._workbench import check, explain, profile, run

__version__: str = _core.version()

# What these modules define is imported when it is first used, so that importing the package takes milliseconds.
_LAZY = {
    "bench": "_bench",
    "CompileError": "_modules",
    "Finding": "_modules",
    "FindingError": "_modules",
    "Kernel": "_modules",
    "Module": "_modules",
    "SourceModule": "_modules",
    "load_module": "_modules",
    "ToolError": "_tool",
    "cmake_prefix": "_tool",
    "tool": "_tool",
    "check": "_workbench",
    "explain": "_workbench",
    "profile": "_workbench",
    "run": "_workbench",
}

__all__ = [
    "Error", "ForceField", "HeatSolver", "Molecules", "ScatterPlan", "SpectralAutoencoder", "argmax", "argmin", "conv",
    "convert", "edge_vectors", "exclusive_sum", "fill", "filter", "filter_columns", "filter_indices", "gather",
    "has_cuda", "heat_advance", "inclusive_sum", "iota", "maximum", "minimum", "mul_add", "multiply", "radial",
    "radial_gradient", "row_sums", "scatter", "scatter_gradient", "sum", "transpose", "bench", "CompileError", "Finding",
    "FindingError", "Kernel", "Module", "SourceModule", "load_module", "ToolError", "cmake_prefix", "tool", "check",
    "explain", "profile", "run",
]


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'rafter' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module(f".{_LAZY[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_LAZY))
