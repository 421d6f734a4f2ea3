"""An ASE calculator for force fields of rafter."""
from __future__ import annotations

import os
from typing import Any, Sequence

import numpy
from ase import units
from ase.calculators.calculator import Calculator as _Calculator
from ase.calculators.calculator import all_changes
from ase.stress import full_3x3_to_voigt_6_stress

from . import _core
from ._models import ForceField
from ._safetensors import metadata

_UNITS = {"ev": 1.0, "kcal/mol": units.kcal / units.mol, "kj/mol": units.kJ / units.mol, "hartree": units.Hartree,
          "ha": units.Hartree, "mev": 1e-3}


class Calculator(_Calculator):
    """Energy, forces and stress of a ForceField, or of the safetensors file of one. `energy_unit` is that of the model,
    by default the one that the file's metadata states, else eV. With dtype="float64" all is computed in float64, for
    reference."""

    implemented_properties = ["energy", "free_energy", "forces", "stress"]

    def __init__(self, model: _core.ForceField | str | os.PathLike[str], dtype: str = "float32",
                 energy_unit: str | None = None, **options: Any) -> None:
        super().__init__(**options)
        if dtype not in ("float32", "float64"):
            raise ValueError(f"dtype should be 'float32' or 'float64', is '{dtype}'")
        self.model: _core.ForceField
        if isinstance(model, _core.ForceField):
            unit, self.model = energy_unit or "eV", model
        else:
            unit, self.model = energy_unit or metadata(model).get("energy_unit", "eV"), ForceField(model)
        if unit.lower() not in _UNITS:
            raise ValueError(f"energy_unit should be one of eV, meV, kcal/mol, kJ/mol and Hartree, is '{unit}'")
        self._dtype, self._unit = dtype, _UNITS[unit.lower()]

    def calculate(self, atoms: Any = None, properties: Sequence[str] = ("energy",),
                  system_changes: Sequence[str] = tuple(all_changes)) -> None:
        super().calculate(atoms, list(properties), list(system_changes))
        atoms = self.atoms
        periodic = atoms.pbc.any()
        molecules = _core.Molecules([len(atoms)], atoms.numbers, [atoms.cell.array] if periodic else None,
                                    [atoms.pbc] if periodic else None)
        positions = numpy.ascontiguousarray(atoms.positions, self._dtype)
        energies, forces, virials = self.model.compute(molecules, positions, virials=bool(atoms.pbc.all()))
        energy = float(energies[0]) * self._unit
        self.results = {"energy": energy, "free_energy": energy,
                        "forces": numpy.asarray(forces, numpy.float64) * self._unit}
        if virials is not None:
            self.results["stress"] = full_3x3_to_voigt_6_stress(-virials[0] * self._unit / atoms.get_volume())
