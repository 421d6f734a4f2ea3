"""safetensors files: the weights of a PyTorch module as the bytes that models are read from, and their metadata."""
from __future__ import annotations

import json
import os
import struct
from typing import Any, Mapping

import numpy

_TYPES = {"float64": "F64", "float32": "F32", "float16": "F16", "int64": "I64", "int32": "I32", "int16": "I16",
          "int8": "I8", "uint8": "U8", "bool": "BOOL"}


def dumps(tensors: Mapping[str, Any], metadata: Mapping[str, str] | None = None) -> bytes:
    """Returns a safetensors file with the tensors, arrays of NumPy or of PyTorch. bfloat16 is stored as float32, which
    holds it exactly."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    parts: list[bytes] = []
    end = 0
    for name, tensor in tensors.items():
        if hasattr(tensor, "detach"):
            tensor = tensor.detach().cpu()
            tensor = (tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor).numpy()
        array = numpy.ascontiguousarray(tensor).reshape(numpy.shape(tensor))
        if array.dtype.name not in _TYPES:
            raise TypeError(f"{name} should have a type of {', '.join(_TYPES)}, is {array.dtype.name}")
        data = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        header[name] = {"dtype": _TYPES[array.dtype.name], "shape": list(array.shape),
                        "data_offsets": [end, end + len(data)]}
        parts.append(data)
        end += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(parts)


def metadata(path: str | os.PathLike[str]) -> dict[str, str]:
    """Returns the metadata of a file, empty if it has none or is no safetensors file, which its reader will report."""
    try:
        with open(path, "rb") as file:
            (size,) = struct.unpack("<Q", file.read(8))
            header = json.loads(file.read(size)) if size < 100_000_000 else {}
        found = header.get("__metadata__", {})
        return {str(key): str(value) for key, value in found.items()}
    except (OSError, ValueError, struct.error, AttributeError):
        return {}
