"""Makes `import pycuda.driver` and `import pycuda.compiler` find the modules of this package."""
from __future__ import annotations

import sys

import rafter.pycuda as _package
from rafter.pycuda import compiler as _compiler
from rafter.pycuda import driver as _driver

for _name, _module in (("pycuda", _package), ("pycuda.driver", _driver), ("pycuda.compiler", _compiler),
                       ("pycuda.autoinit", sys.modules[__name__])):
    _there = sys.modules.setdefault(_name, _module)
    if _there is not _module:
        raise ImportError("PyCUDA itself is already imported: import rafter.pycuda.autoinit before it")
