"""pycuda.compiler: SourceModule."""
from __future__ import annotations

from .._modules import CompileError, SourceModule

__all__ = ["CompileError", "SourceModule"]
