"""Rafter's force fields as PyTorch modules, and their weights; used by torch_forcefield.py.

Tensors are named as in model files: the student's own names, and SchNetPack's for PaiNN. Forces are automatic
derivatives. Molecules are concatenated, and edges are given: ordered pairs of atoms of a molecule within the cutoff.
"""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from safetensors_files import read_safetensors

def as_floats(numbers):
    return torch.from_numpy(np.asarray(numbers, dtype=np.float64).astype(np.float32))


def centres(n, cutoff):
    """Returns the centres of random_forcefield_weights, which torch.linspace may miss by one bit."""
    return as_floats(np.append(np.arange(n - 1) * (cutoff / max(1, n - 1)), cutoff))


def cosine_cutoff(d, cutoff):
    return 0.5 * (torch.cos(d * (math.pi / cutoff)) + 1) * (d < cutoff)


class Student(nn.Module):
    class Rbf(nn.Module):
        def __init__(self, n, cutoff):
            super().__init__()
            self.register_buffer("centers", centres(n, cutoff))
            self.register_buffer("widths", as_floats([cutoff / n] * n))

        def forward(self, d):
            return torch.exp(-(((d - self.centers) / self.widths) ** 2)) * cosine_cutoff(d, self.centers[-1])

    class Message(nn.Module):
        def __init__(self, features, radial):
            super().__init__()
            self.rbf_to_scalar = nn.Sequential(nn.Linear(radial, features), nn.SiLU(), nn.Linear(features, 3 * features))

        def forward(self, s, v, radial, unit, src, dst):
            ws, w1, w2 = self.rbf_to_scalar(radial).chunk(3, dim=-1)
            ds = torch.zeros_like(s).index_add(0, dst, s[src] * ws)
            along = v[src] * w1[:, None, :] + unit[:, :, None] * w2[:, None, :]
            return s + ds, v + torch.zeros_like(v).index_add(0, dst, along)

    class Update(nn.Module):
        def __init__(self, features):
            super().__init__()
            self.update_mlp = nn.Sequential(nn.Linear(2 * features, features), nn.SiLU(),
                                            nn.Linear(features, 3 * features))
            self.mixing_matrix = nn.Parameter(torch.eye(3))

        def forward(self, s, v):
            n = torch.linalg.vector_norm(v, dim=1)
            a, g1, g2 = self.update_mlp(torch.cat([s, n], dim=-1)).chunk(3, dim=-1)
            mixed = torch.einsum("xy,nyf->nxf", self.mixing_matrix, v)
            return s + a, v * g1[:, None, :] + mixed * g2[:, None, :]

    class Interaction(nn.Module):
        def __init__(self, features, radial):
            super().__init__()
            self.message, self.update = Student.Message(features, radial), Student.Update(features)

    def __init__(self, features=128, layers=3, radial=20, elements=101, readout=(64, 32), cutoff=5.0):
        super().__init__()
        cutoff = float(np.float32(cutoff))  # as stored in files
        self.embedding = nn.Embedding(elements, features)
        self.rbf = Student.Rbf(radial, cutoff)
        self.interactions = nn.ModuleList(Student.Interaction(features, radial) for _ in range(layers))
        first, second = readout
        self.energy_head = nn.Sequential(nn.Linear(features, first), nn.SiLU(), nn.Linear(first, second), nn.SiLU(),
                                         nn.Linear(second, 1))

    def forward(self, z, positions, src, dst, molecule, n_molecules):
        e = positions[src] - positions[dst]
        d = torch.linalg.vector_norm(e, dim=1, keepdim=True)
        unit, radial = e / (d + 1e-8), self.rbf(d)
        s = self.embedding(z)
        v = s.new_zeros(s.shape[0], 3, s.shape[1])
        for layer in self.interactions:
            s, v = layer.message(s, v, radial, unit, src, dst)
            s, v = layer.update(s, v)
        return s.new_zeros(n_molecules).index_add(0, molecule, self.energy_head(s)[:, 0])


class PaiNN(nn.Module):
    """PaiNN followed by Atomwise, as in SchNetPack."""

    class Gaussians(nn.Module):
        def __init__(self, n, cutoff):
            super().__init__()
            self.register_buffer("offsets", centres(n, cutoff))
            self.register_buffer("widths", as_floats([cutoff / max(1, n - 1)] * n))

        def forward(self, d):
            return torch.exp(-0.5 * ((d - self.offsets) / self.widths) ** 2)

    class Bessel(nn.Module):
        def __init__(self, n, cutoff):
            super().__init__()
            self.register_buffer("freqs", as_floats(np.arange(1, n + 1) * math.pi / cutoff))

        def forward(self, d):
            return torch.sin(d * self.freqs) / d

    class Cutoff(nn.Module):
        def __init__(self, cutoff):
            super().__init__()
            self.register_buffer("cutoff", as_floats([cutoff]))

        def forward(self, d):
            return cosine_cutoff(d, self.cutoff)

    class Net(nn.Sequential):
        """Linear, SiLU, Linear, with the linear layers as entries 0 and 1."""

        def __init__(self, n_in, n_hidden, n_out):
            super().__init__(nn.Linear(n_in, n_hidden), nn.Linear(n_hidden, n_out))

        def forward(self, x):
            return self[1](F.silu(self[0](x)))

    class Interaction(nn.Module):
        def __init__(self, features):
            super().__init__()
            self.interatomic_context_net = PaiNN.Net(features, features, 3 * features)

        def forward(self, q, mu, filters, unit, i, j):
            dq, dmu_r, dmu_mu = (filters * self.interatomic_context_net(q)[j]).chunk(3, dim=-1)
            dmu = dmu_r[:, None, :] * unit[:, :, None] + dmu_mu[:, None, :] * mu[j]
            return q + torch.zeros_like(q).index_add(0, i, dq), mu + torch.zeros_like(mu).index_add(0, i, dmu)

    class Mixing(nn.Module):
        def __init__(self, features):
            super().__init__()
            self.intraatomic_context_net = PaiNN.Net(2 * features, features, 3 * features)
            self.mu_channel_mix = nn.Linear(features, 2 * features, bias=False)

        def forward(self, q, mu):
            mu_v, mu_w = self.mu_channel_mix(mu).chunk(2, dim=-1)
            n = torch.sqrt((mu_v**2).sum(dim=1) + 1e-8)
            a, b, c = self.intraatomic_context_net(torch.cat([q, n], dim=-1)).chunk(3, dim=-1)
            return q + a + c * (mu_v * mu_w).sum(dim=1), mu + b[:, None, :] * mu_w

    class Representation(nn.Module):
        def __init__(self, features, layers, radial, elements, basis, cutoff):
            super().__init__()
            self.embedding = nn.Embedding(elements, features)
            self.radial_basis = (PaiNN.Bessel if basis == "bessel" else PaiNN.Gaussians)(radial, cutoff)
            self.cutoff_fn = PaiNN.Cutoff(cutoff)
            self.filter_net = nn.Linear(radial, layers * 3 * features)
            self.interactions = nn.ModuleList(PaiNN.Interaction(features) for _ in range(layers))
            self.mixing = nn.ModuleList(PaiNN.Mixing(features) for _ in range(layers))

        def forward(self, z, positions, i, j):
            r = positions[j] - positions[i]
            d = torch.linalg.vector_norm(r, dim=1, keepdim=True)
            filters = (self.filter_net(self.radial_basis(d)) * self.cutoff_fn(d)).chunk(len(self.interactions), dim=-1)
            q = self.embedding(z)
            mu = q.new_zeros(q.shape[0], 3, q.shape[1])
            for interaction, mixing, w in zip(self.interactions, self.mixing, filters):
                q, mu = mixing(*interaction(q, mu, w, r / d, i, j))
            return q

    class Atomwise(nn.Module):
        def __init__(self, features, hidden):
            super().__init__()
            self.outnet = PaiNN.Net(features, hidden, 1)

    def __init__(self, features=128, layers=3, radial=20, elements=101, readout=(64,), basis="gaussian", cutoff=5.0):
        super().__init__()
        cutoff = float(np.float32(cutoff))  # as stored in files
        self.representation = PaiNN.Representation(features, layers, radial, elements, basis, cutoff)
        self.output_modules = nn.ModuleList([PaiNN.Atomwise(features, readout[0])])

    def forward(self, z, positions, src, dst, molecule, n_molecules):
        atoms = self.output_modules[0].outnet(self.representation(z, positions, dst, src))[:, 0]
        return atoms.new_zeros(n_molecules).index_add(0, molecule, atoms)


def cutoff_of(model):
    return float(model.rbf.centers[-1] if isinstance(model, Student) else model.representation.cutoff_fn.cutoff)


class RandomNumbers:
    """SplitMix64, as in random_forcefield_weights."""

    def __init__(self, seed):
        self.seed, self.n_used = seed, 0

    def units(self, n):
        index = np.arange(self.n_used + 1, self.n_used + n + 1, dtype=np.uint64)
        self.n_used += n
        z = np.uint64(self.seed) + index * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return ((z ^ (z >> np.uint64(31))) >> np.uint64(40)).astype(np.float64) * 2.0**-24

    def uniform(self, n, bound):
        return (bound * (2 * self.units(n) - 1)).astype(np.float32)

    def normal(self, n):
        return (self.units(12 * n).reshape(n, 12).sum(axis=1) - 6).astype(np.float32)


def randomise(model, seed):
    """Sets a model's weights to those of random_forcefield_weights, bit by bit."""
    random, is_painn = RandomNumbers(seed), isinstance(model, PaiNN)
    weight_bound = bias_bound = 0.0
    for name, values in model.named_parameters():
        shape, n = values.shape, values.numel()
        if name.endswith("embedding.weight"):
            numbers = random.normal(n)
        elif name.endswith("mixing_matrix"):
            numbers = np.eye(3, dtype=np.float32).reshape(-1) + random.uniform(n, 0.1)
        elif name.endswith(".weight"):
            weight_bound = math.sqrt(6 / (shape[0] + shape[1])) if is_painn else 1 / math.sqrt(shape[1])
            bias_bound = 0.1 if is_painn else weight_bound
            numbers = random.uniform(n, weight_bound)
        else:
            numbers = random.uniform(n, bias_bound)
        values.data.copy_(torch.from_numpy(numbers).reshape(shape))
    return model


def model_of_file(path):
    tensors = read_safetensors(path)
    is_painn = "representation.embedding.weight" in tensors
    start = "representation." if is_painn else ""
    elements, features = tensors[start + "embedding.weight"].shape
    in_layers = [name.removeprefix(start + "interactions.") for name in tensors if name.startswith(start + "interactions.")]
    layers = 1 + max(int(name.split(".")[0]) for name in in_layers)
    if is_painn:
        basis = "bessel" if start + "radial_basis.freqs" in tensors else "gaussian"
        radial = tensors[start + "filter_net.weight"].shape[1]
        model = PaiNN(features, layers, radial, elements, (tensors["output_modules.0.outnet.0.bias"].numel(),), basis)
    else:
        readout = tuple(tensors[f"energy_head.{i}.bias"].numel() for i in (0, 2))
        model = Student(features, layers, tensors["rbf.centers"].numel(), elements, readout)
        tensors.setdefault(f"interactions.{layers - 1}.update.mixing_matrix", torch.eye(3))
    model.load_state_dict(tensors)
    return model
