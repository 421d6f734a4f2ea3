"""Models whose weights come from files or from modules of PyTorch."""
from __future__ import annotations

import os
from typing import Any, Mapping

from . import _core


def _state_of(module: Any) -> Mapping[str, Any]:
    state: Mapping[str, Any] = module.state_dict() if hasattr(module, "state_dict") else module
    return state


class SpectralAutoencoder(_core.SpectralAutoencoder):
    """SpectralShapeAutoencoder: reconstructs windows of mel spectra, float32 [n, frames, mels]. The error of a window
    indicates an anomaly. `file` is a safetensors file: its path or its bytes."""

    @classmethod
    def from_safetensors(cls, path: str | os.PathLike[str], **options: Any) -> SpectralAutoencoder:
        """Returns the model of a file."""
        return cls(path, **options)

    @classmethod
    def from_torch(cls, module: Any, **options: Any) -> SpectralAutoencoder:
        """Returns the model with the present weights of a PyTorch module, or of its state_dict()."""
        from ._safetensors import dumps

        return cls(dumps(_state_of(module)), **options)


class ForceField(_core.ForceField):
    """A message-passing force field, of the architectures of docs/forcefield.md. `file` is a safetensors file: its path
    or its bytes. Positions are in Angstrom, energies in the unit that the model was trained with."""

    @classmethod
    def from_safetensors(cls, path: str | os.PathLike[str], **options: Any) -> ForceField:
        """Returns the model of a file."""
        return cls(path, **options)

    @classmethod
    def from_torch(cls, module: Any, cutoff: float | None = None, **options: Any) -> ForceField:
        """Returns the model with the present weights of a PyTorch module, or of its state_dict(). A student whose radial
        centres were trained needs `cutoff`."""
        from ._safetensors import dumps

        return cls(dumps(_state_of(module), None if cutoff is None else {"cutoff": str(cutoff)}), **options)
