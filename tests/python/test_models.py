"""Models and the ASE calculator: results against their definitions, and forces against differences of energies."""
import math

import numpy as np
import pytest

import rafter
from rafter._safetensors import dumps

STUDENT = {"features": 8, "radial": 6, "elements": 10}


@pytest.fixture(scope="module")
def student():
    """The tensors of a small random student, with the names of docs/forcefield.md."""
    random = np.random.default_rng(3)
    features, radial = STUDENT["features"], STUDENT["radial"]

    def weights(*shape):
        return (random.uniform(-1, 1, shape) / math.sqrt(shape[-1])).astype(np.float32)

    tensors = {"embedding.weight": weights(STUDENT["elements"], features),
               "rbf.centers": np.linspace(0, 5, radial, dtype=np.float32),
               "rbf.widths": np.full(radial, 0.8, np.float32)}
    for layer in range(2):
        message, update = f"interactions.{layer}.message.rbf_to_scalar.", f"interactions.{layer}.update."
        for at, (rows, columns) in ((0, (features, radial)), (2, (3 * features, features))):
            tensors[f"{message}{at}.weight"], tensors[f"{message}{at}.bias"] = weights(rows, columns), weights(rows)
        for at, (rows, columns) in ((0, (features, 2 * features)), (2, (3 * features, features))):
            tensors[f"{update}update_mlp.{at}.weight"] = weights(rows, columns)
            tensors[f"{update}update_mlp.{at}.bias"] = weights(rows)
        tensors[f"{update}mixing_matrix"] = weights(3, 3)
    for at, (rows, columns) in ((0, (6, features)), (2, (5, 6)), (4, (1, 5))):
        tensors[f"energy_head.{at}.weight"], tensors[f"energy_head.{at}.bias"] = weights(rows, columns), weights(rows)
    return tensors


POSITIONS = np.array([[0, 0, 0], [1.1, 0.1, 0], [0.2, 1.3, 0.4], [3, 3, 3], [3.4, 4, 3.3]])
ELEMENTS = [6, 1, 8, 7, 1]


def differences(energy, positions, step=1e-5):
    forces = np.zeros_like(positions)
    for at in np.ndindex(positions.shape):
        low, high = positions.copy(), positions.copy()
        low[at] -= step
        high[at] += step
        forces[at] = (energy(low) - energy(high)) / (2 * step)
    return forces


def test_forces_are_the_gradient_of_the_energy(student):
    model = rafter.ForceField(dumps(student))
    molecules = rafter.Molecules([3, 2], ELEMENTS)
    assert (molecules.n_molecules, molecules.n_atoms, molecules.sizes) == (2, 5, [3, 2])
    energies, forces, virials = model.compute(molecules, POSITIONS, virials=True)
    assert energies.dtype == np.float64 and virials.shape == (2, 3, 3)
    expected = differences(lambda p: model.compute(molecules, p, forces=False)[0].sum(), POSITIONS)
    assert np.allclose(forces, expected, rtol=1e-5, atol=1e-7) and np.abs(forces).max() > 1e-3
    single, float_forces, none = model.compute(molecules, POSITIONS.astype(np.float32))
    assert none is None and float_forces.dtype == np.float32
    assert np.allclose(single, energies, rtol=1e-4, atol=1e-5) and np.allclose(float_forces, forces, atol=1e-3)


def test_models_are_read_from_files_and_refuse_others(student, tmp_path):
    path = tmp_path / "student.safetensors"
    path.write_bytes(dumps(student))
    model = rafter.ForceField.from_safetensors(path)
    assert model.n_elements == STUDENT["elements"] and model.cutoff == 5 and model.warnings
    with pytest.raises(ValueError, match="rbf.centers"):
        rafter.ForceField(dumps({name: value for name, value in student.items() if name != "rbf.centers"}))
    with pytest.raises(ValueError, match="elements should have 6 elements, has 5"):
        rafter.Molecules([3, 3], ELEMENTS)
    with pytest.raises(ValueError, match="positions"):
        model.compute(rafter.Molecules([5], ELEMENTS), POSITIONS[:3])


def autoencoder(random, mels=12, frames=3, latent=5, slice=7):
    def weights(*shape):
        return (random.uniform(-1, 1, shape) / 3).astype(np.float32)

    return {"slice_encoder.0.weight": 1 + weights(mels), "slice_encoder.0.bias": weights(mels),
            "slice_encoder.1.weight": weights(slice, mels), "slice_encoder.1.bias": weights(slice),
            "global_basis": weights(latent, frames * slice),
            "bottleneck_mlp.0.weight": 1 + weights(latent), "bottleneck_mlp.0.bias": weights(latent),
            "bottleneck_mlp.1.weight": weights(latent, latent), "bottleneck_mlp.1.bias": weights(latent),
            "slice_decoder.0.weight": weights(mels, slice), "slice_decoder.0.bias": weights(mels)}


def reconstruct(w, x):
    def norm(values, prefix):
        centred = values - values.mean(-1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * w[prefix + "weight"] + w[prefix + "bias"]

    def linear(values, prefix):
        return values @ w[prefix + "weight"].T + w[prefix + "bias"]

    gelu = np.vectorize(lambda v: v / 2 * (1 + math.erf(v / math.sqrt(2))))
    w = {name: value.astype(np.float64) for name, value in w.items()}
    slices = gelu(linear(norm(x, "slice_encoder.0."), "slice_encoder.1.")).reshape(len(x), -1)
    basis = w["global_basis"] / np.linalg.norm(w["global_basis"], axis=1, keepdims=True)
    z = gelu(linear(norm(slices @ basis.T, "bottleneck_mlp.0."), "bottleneck_mlp.1."))
    return linear((z @ basis).reshape(len(x), x.shape[1], -1), "slice_decoder.0.")


def test_the_autoencoder_equals_its_definition(random):
    weights = autoencoder(random)
    model = rafter.SpectralAutoencoder.from_torch(weights)  # a state_dict()
    x = random.standard_normal((9, 3, 12)).astype(np.float32)
    expected = reconstruct(weights, x.astype(np.float64))
    assert (model.mels, model.frames, model.latent) == (12, 3, 5)
    assert np.allclose(model(x), expected, rtol=1e-4, atol=1e-5)
    assert np.allclose(model.score(x), ((expected - x)**2).mean((1, 2)), rtol=1e-4)
    with pytest.raises(ValueError, match="x should have the shape"):
        model(x[:, :2].copy())


def test_the_gradient_of_energies_is_minus_the_forces(student):
    torch = pytest.importorskip("torch")
    import rafter.torch as ops

    model = rafter.ForceField.from_torch({name: torch.tensor(value) for name, value in student.items()})
    molecules = rafter.Molecules([3, 2], ELEMENTS)
    positions = torch.tensor(POSITIONS, requires_grad=True)
    assert torch.autograd.gradcheck(lambda p: ops.energies(model, molecules, p), (positions,), eps=1e-5, rtol=1e-4)


def test_the_ase_calculator_has_energies_forces_and_stresses(student, tmp_path):
    ase = pytest.importorskip("ase")
    from rafter.ase import Calculator

    path = tmp_path / "student.safetensors"
    path.write_bytes(dumps(student, {"energy_unit": "kcal/mol"}))
    model = rafter.ForceField(path)
    atoms = ase.Atoms(ELEMENTS, POSITIONS, calculator=Calculator(path, dtype="float64"))
    energy = model.compute(rafter.Molecules([5], ELEMENTS), POSITIONS)[0][0]
    assert atoms.get_potential_energy() == pytest.approx(energy * ase.units.kcal / ase.units.mol, rel=1e-9)
    calculator = Calculator(model, dtype="float64")
    atoms.calc = calculator
    assert atoms.get_potential_energy() == pytest.approx(energy)

    atoms = ase.Atoms(ELEMENTS, POSITIONS, cell=[[6, 0, 0], [0.5, 7, 0], [0, 0.3, 8]], pbc=True, calculator=calculator)

    def energy_at(positions):
        moved = atoms.copy()
        moved.positions = positions
        moved.calc = calculator
        return moved.get_potential_energy()

    assert np.allclose(atoms.get_forces(), differences(energy_at, POSITIONS), rtol=1e-4, atol=1e-6)

    def energy_of(strain):
        strained = atoms.copy()
        strained.set_cell(atoms.cell.array @ (np.eye(3) + strain), scale_atoms=True)
        strained.calc = calculator
        return strained.get_potential_energy()

    stress = np.empty((3, 3))
    for at in np.ndindex(3, 3):
        strain = np.zeros((3, 3))
        strain[at] = 1e-5
        stress[at] = (energy_of(strain) - energy_of(-strain)) / 2e-5 / atoms.get_volume()
    expected = ase.stress.full_3x3_to_voigt_6_stress((stress + stress.T) / 2)
    assert np.allclose(atoms.get_stress(), expected, rtol=1e-3, atol=1e-6)
    with pytest.raises(ValueError, match="energy_unit should be one of"):
        Calculator(model, energy_unit="furlong")
