#!/usr/bin/env python3
"""Compares Rafter's force fields with the same models in PyTorch: results, and times of energies with forces.

    venv/bin/python benchmarks/peers/torch_forcefield.py --rafter ./rafter [--model painn] [--device cuda] [--threads 2]
    venv/bin/python benchmarks/peers/torch_forcefield.py --answers tests/kernels/forcefield/forcefield_answers.txt

First compares `rafter forces` with float64. Times are medians of synchronised calls of the energies and their automatic
derivative: cold, with the caches flushed before a call, and warm. PyTorch is given the edges, which Rafter computes
itself. Models have the weights of random_forcefield_weights, or those of a safetensors file (--weights).
"""

import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import torch

from peer_times import as_graph, rafter_us
from safetensors_files import write_safetensors
from torch_forcefield_models import PaiNN, Student, cutoff_of, model_of_file, randomise

SYMBOLS = {1: "H", 2: "He", 6: "C", 7: "N", 8: "O", 16: "S"}
OPS = {"cpu": "batched", "cuda": "by_size"}  # the rungs of the library's op


class Molecule:
    def __init__(self, name, elements, positions):
        self.name, self.elements = name, np.asarray(elements)
        self.positions = np.round(np.asarray(positions, dtype=np.float64), 4)


def benzene():
    angles = np.arange(6) * np.pi / 3
    ring = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    return Molecule("benzene", [6] * 6 + [1] * 6, np.concatenate([1.397 * ring, 2.481 * ring]))


def druglike(n_atoms, random):
    """Returns molecules grown atom by atom, like those of `rafter run forcefield --set druglike`."""
    positions, elements = np.zeros((0, 3)), []
    while len(elements) < n_atoms:
        elements.append(1 if random.integers(2) else int(random.choice([6, 6, 6, 7, 8, 16])))
        while len(positions) < len(elements):
            direction = random.normal(size=3)
            step = direction / np.linalg.norm(direction) * (1.09 if elements[-1] == 1 else 1.45)
            new = positions[random.integers(len(positions))] + step if len(positions) else np.zeros(3)
            if (np.linalg.norm(positions - new, axis=1) > 1.05).all():
                positions = np.vstack([positions, new])
    return Molecule(f"druglike, {n_atoms} atoms", elements, positions)


def molecules_of(kind, n):
    if kind == "benzene":
        return [benzene()] * n
    random = np.random.default_rng(1)
    return [druglike(int(random.integers(20, 61)), random) for _ in range(n)]


class Batch:
    """Concatenated molecules and their edges."""

    def __init__(self, molecules, cutoff, device="cpu", dtype=torch.float32):
        starts = np.cumsum([0] + [len(m.elements) for m in molecules])
        src, dst = [], []
        for m, start in zip(molecules, starts):
            d = np.linalg.norm(m.positions[:, None] - m.positions[None], axis=-1)
            i, j = np.nonzero((d <= cutoff) & ~np.eye(len(d), dtype=bool))
            dst.append(start + i)
            src.append(start + j)
        as_index = lambda arrays: torch.from_numpy(np.concatenate(arrays).astype(np.int64)).to(device)
        self.src, self.dst = as_index(src), as_index(dst)
        self.molecule = as_index([np.full(len(m.elements), i) for i, m in enumerate(molecules)])
        self.elements = as_index([m.elements for m in molecules])
        self.positions = torch.from_numpy(np.concatenate([m.positions for m in molecules])).to(device, dtype)
        self.n = len(molecules)

    def energies(self, model, positions):
        return model(self.elements, positions, self.src, self.dst, self.molecule, self.n)

    def energies_and_forces(self, model):
        positions = self.positions.requires_grad_()
        energies = self.energies(model, positions)
        (slope,) = torch.autograd.grad(energies.sum(), positions)
        return energies.detach(), -slope

    def virials(self, model):
        """Returns minus the derivative with respect to a strain that moves positions x to x + strain x."""
        strain = torch.zeros(self.n, 3, 3, dtype=self.positions.dtype, requires_grad=True)
        positions = self.positions.detach()
        moved = positions + torch.einsum("nab,nb->na", strain[self.molecule], positions)
        (slope,) = torch.autograd.grad(self.energies(model, moved).sum(), strain)
        return -slope


class Bench:
    """Medians of calls, in microseconds."""

    def __init__(self, device, seconds):
        self.device, self.seconds = device, seconds
        self.flushed = torch.empty(2**28, dtype=torch.uint8, device=device)

    def wait(self):
        if self.device == "cuda":
            torch.cuda.synchronize()

    def median(self, call, flush):
        for _ in range(3):
            call()
        times, until = [], time.perf_counter() + self.seconds
        while len(times) < 5 or (len(times) < 50 and time.perf_counter() < until):
            if flush:
                self.flushed.zero_()
            self.wait()
            begin = time.perf_counter()
            call()
            self.wait()
            times.append((time.perf_counter() - begin) * 1e6)
        return statistics.median(times)


def op_us(kind, n, regime, options):
    settings = {"device": options.device, "model": options.model.replace("bessel", "painn"), "molecules": n,
                "kind": kind,
                "basis": "bessel" if options.model == "bessel" else "gaussian", "regime": regime}
    if options.device == "cpu":
        settings["threads"] = options.threads
    return rafter_us(options.rafter, "forcefield", OPS[options.device], settings)


def print_times(model, options):
    model = model.to(options.device, torch.float32).requires_grad_(False)
    bench = Bench(options.device, options.seconds)
    modes = ["eager"] + (["graph"] if options.device == "cuda" else []) + (["compiled"] if options.compile else [])
    columns = "".join(f" {m + ' cold':>13} {m + ' warm':>13}" for m in modes + (["rafter"] if options.rafter else []))
    print(f"{'set':>10} {'batch':>6} {'atoms':>7} {'edges':>8}{columns}   us; and us for a molecule, warm")
    for kind in options.sets.split(","):
        for n in (int(n) for n in options.batches.split(",")):
            batch = Batch(molecules_of(kind, n), cutoff_of(model), options.device)
            times = []
            for mode in modes:
                used = torch.compile(model, dynamic=False) if mode == "compiled" else model
                call = lambda: batch.energies_and_forces(used)
                call = as_graph(call) if mode == "graph" else call
                times += [bench.median(call, flush=True), bench.median(call, flush=False)]
            if options.rafter:
                times += [op_us(kind, n, regime, options) for regime in ("cold", "warm")]
            print(f"{kind:>10} {n:6} {len(batch.elements):7} {len(batch.src):8}" + "".join(f" {t:13.1f}" for t in times)
                  + "  " + " ".join(f"{t / n:.1f}" for t in times[1::2]), flush=True)


def answers_of(model, molecules):
    batch = Batch(molecules, cutoff_of(model), dtype=torch.float64)
    model = model.cpu().double()
    return [x.numpy() for x in (*batch.energies_and_forces(model), batch.virials(model))]


def read_results(path):
    """Returns the energies and forces of an extended XYZ file, whose last three columns are the forces."""
    energies, forces = [], []
    lines = Path(path).read_text().splitlines()
    while lines:
        n = int(lines[0])
        words = dict(word.split("=", 1) for word in lines[1].split() if "=" in word)
        energies.append(float(words["energy"]))
        forces += [[float(x) for x in line.split()[-3:]] for line in lines[2 : n + 2]]
        lines = lines[n + 2 :]
    return np.array(energies), np.array(forces)


def check_rafter(model, options):
    molecules = molecules_of("benzene", 3) + molecules_of("druglike", 40)
    energies, forces, _ = answers_of(model, molecules)
    with tempfile.TemporaryDirectory() as folder:
        weights, xyz, out = (str(Path(folder) / name) for name in ("m.safetensors", "in.xyz", "out.extxyz"))
        write_safetensors(weights, dict(model.state_dict()))
        with open(xyz, "w") as file:
            for m in molecules:
                file.write(f"{len(m.elements)}\n{m.name}\n")
                file.writelines(f"{SYMBOLS[z]} {x} {y} {w}\n" for z, (x, y, w) in zip(m.elements, m.positions))
        words = [options.rafter, "forces", xyz, "--model", weights, "--out", out, "--device", options.device]
        subprocess.run(words, check=True, capture_output=True)
        found_energies, found_forces = read_results(out)
    n_atoms = np.array([len(m.elements) for m in molecules])
    energy_error = (np.abs(found_energies - energies) / n_atoms).max()
    force_error = np.abs(found_forces - forces).max()
    print(f"rafter forces against PyTorch in float64, {len(molecules)} molecules: energies of an atom differ by at most "
          f"{energy_error:.1e} eV, forces by {force_error:.1e} eV / Angstrom (of up to {np.abs(forces).max():.1f})")
    if not (energy_error < 1e-5 and force_error < 1e-4):
        raise SystemExit("the results differ from those of the module")


def write_answers(path):
    """Writes small models and molecules with their float64 results, for a test: expected values follow each input."""
    water = Molecule("water", [8, 1, 1], [[0, 0, 0.1173], [0, 0.7572, -0.4692], [0, -0.7572, -0.4692]])
    apart = Molecule("carbon monoxide, and hydrogen out of reach", [6, 8, 1, 1],
                     [[0, 0, 0], [1.128, 0, 0], [0.3, 7.1, 0.2], [0.3, 7.1, 0.94]])
    atom = Molecule("an atom", [2], [[1.5, -2.5, 0.25]])
    molecules = [water, atom, benzene(), apart, druglike(23, np.random.default_rng(2))]
    size = dict(features=12, layers=3, radial=9, elements=17, cutoff=4.7)
    models = [("student gaussian 7 5", Student(readout=(7, 5), **size)),
              ("painn gaussian 6", PaiNN(readout=(6,), **size)),
              ("painn bessel 6", PaiNN(readout=(6,), basis="bessel", **size))]
    row = lambda values: " ".join(f"{x:.12g}" for x in np.asarray(values).reshape(-1) + 0.0) + "\n"
    with open(path, "w") as file:
        file.write("Answers in float64 by benchmarks/peers/torch_forcefield.py --answers: molecules; then of each model\n"
                   "basis, readout and seed, and of each molecule its energy, virial and forces.\n")
        file.write("features 12 layers 3 radial 9 elements 17 cutoff 4.7\n")
        file.write(f"molecules {len(molecules)}\n")
        for m in molecules:
            file.write(f"{len(m.elements)}\n")
            file.writelines(f"{z} {row(x)}" for z, x in zip(m.elements, m.positions))
        for seed, (name, model) in enumerate(models, start=1):
            energies, forces, virials = answers_of(randomise(model, seed), molecules)
            file.write(f"model {name} seed {seed}\n")
            first = 0
            for m, energy, virial in zip(molecules, energies, virials):
                file.write(row(energy) + row(virial))
                file.writelines(row(f) for f in forces[first : first + len(m.elements)])
                first += len(m.elements)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=["student", "painn", "bessel"], default="student",
                        help="bessel: painn with that basis")
    parser.add_argument("--weights", help="a safetensors file, instead of --model with random weights")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--compile", action="store_true", help="time torch.compile, too")
    parser.add_argument("--sets", default="benzene,druglike")
    parser.add_argument("--batches", default="1,16,64,256,1024")
    parser.add_argument("--seconds", type=float, default=2, help="duration of the calls for a median; at least five calls")
    parser.add_argument("--rafter", help="the tool: compares `rafter forces` with PyTorch and times the op")
    parser.add_argument("--answers", help="only write a test's expected results to this file")
    options = parser.parse_args()
    if options.answers:
        write_answers(options.answers)
        return
    torch.set_num_threads(options.threads)
    torch.backends.cuda.matmul.allow_tf32 = False
    make = {"student": Student, "painn": PaiNN, "bessel": lambda: PaiNN(basis="bessel")}[options.model]
    model = model_of_file(options.weights) if options.weights else randomise(make(), options.seed)
    if options.rafter:
        check_rafter(model, options)
    print_times(model, options)


if __name__ == "__main__":
    main()
