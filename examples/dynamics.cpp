// Molecular dynamics of many molecules at once, on a GPU if available: benzenes at 300 K, by velocity Verlet at
// constant energy (NVE). Positions and velocities stay on the device; a step is three multiply-adds and one call of the
// force field, for any number of molecules.
//   dynamics [MOLECULES [STEPS [MODEL]]]        MODEL is a safetensors file; default: a random PaiNN
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <rafter/rafter.hpp>
#include <random>
#include <string>
#include <vector>

namespace {

// Units: Angstrom, fs, amu, eV.
constexpr double time_step = 0.5;
constexpr double kT = 0.025852;                // 300 K
constexpr double acceleration = 9.6485332e-3;  // Angstrom / fs^2 of 1 eV / Angstrom on 1 amu

struct Molecules {
  std::vector<std::int64_t> sizes;
  std::vector<std::int32_t> elements;
  std::vector<float> positions;  // [atoms][3]
  std::vector<double> masses;    // [atoms][3]
};

/// Returns n benzenes, all at the origin: molecules of a batch do not interact.
Molecules benzenes(std::int64_t n) {
  Molecules molecules;
  molecules.sizes.assign(static_cast<std::size_t>(n), 12);
  for (std::int64_t i = 0; i < 12 * n; ++i) {
    const bool is_carbon = i % 2 == 0;
    const double angle = static_cast<double>(i % 12 / 2) * std::numbers::pi / 3, radius = is_carbon ? 1.39 : 2.48;
    molecules.elements.push_back(is_carbon ? 6 : 1);
    for (const double x : {radius * std::cos(angle), radius * std::sin(angle), 0.}) {
      molecules.positions.push_back(static_cast<float>(x));
      molecules.masses.push_back(is_carbon ? 12.011 : 1.008);
    }
  }
  return molecules;
}

/// Returns velocities of the Maxwell distribution.
std::vector<float> velocities_of(const Molecules& molecules) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<float> velocities;
  for (const double mass : molecules.masses)
    velocities.push_back(static_cast<float>(std::sqrt(kT / mass * acceleration) * normal(random)));
  return velocities;
}

rafter::ForceFieldWeights random_painn() {
  return rafter::random_forcefield_weights(
      {.model = rafter::ForceFieldModel::painn, .features = 32, .layers = 2, .readout = {16}}, 1);
}

class Dynamics {
 public:
  Dynamics(const rafter::Stream& stream, const rafter::ForceFieldWeights& weights, const Molecules& molecules)
      : stream_(stream),
        masses_(molecules.masses),
        model_(stream, weights),
        batch_(stream, molecules.sizes, molecules.elements),
        positions_(stream, molecules.positions),
        velocities_(stream, velocities_of(molecules)),
        forces_(stream, positions_.size()),
        energies_(stream, batch_.n_molecules()),
        half_kick_(stream, half_kicks(molecules.masses)),
        drift_(stream, std::vector<float>(masses_.size(), static_cast<float>(time_step))) {
    compute();
  }

  void step() {
    rafter::mul_add(stream_, half_kick_, forces_, velocities_, velocities_.span());
    rafter::mul_add(stream_, drift_, velocities_, positions_, positions_.span());
    compute();
    rafter::mul_add(stream_, half_kick_, forces_, velocities_, velocities_.span());
  }

  double potential_energy() const {
    std::vector<double> energies(static_cast<std::size_t>(energies_.size()));
    energies_.copy_to(energies);
    double total = 0;
    for (const double energy : energies) total += energy;
    return total;
  }

  double kinetic_energy() const {
    std::vector<float> velocities(masses_.size());
    velocities_.copy_to(velocities);
    double total = 0;
    for (std::size_t i = 0; i < masses_.size(); ++i)
      total +=
          0.5 * masses_[i] * static_cast<double>(velocities[i]) * static_cast<double>(velocities[i]) / acceleration;
    return total;
  }

  const rafter::ForceFieldProperties& properties() const { return model_.properties(); }

 private:
  void compute() { model_.compute(stream_, batch_, positions_, {energies_.span(), forces_.span()}); }

  static std::vector<float> half_kicks(const std::vector<double>& masses) {
    std::vector<float> kicks;
    for (const double mass : masses) kicks.push_back(static_cast<float>(time_step / 2 * acceleration / mass));
    return kicks;
  }

  rafter::Stream stream_;
  std::vector<double> masses_;
  rafter::ForceField model_;
  rafter::MoleculeBatch batch_;
  rafter::Buffer<float> positions_, velocities_, forces_;
  rafter::Buffer<double> energies_;
  rafter::Buffer<float> half_kick_, drift_;
};

/// Returns the slope of a line fitted to values at 0, 1, 2, ...
double slope_of(const std::vector<double>& values) {
  const double middle = static_cast<double>(values.size() - 1) / 2;
  double above = 0, below = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    above += x * values[i];
    below += x * x;
  }
  return below > 0 ? above / below : 0;
}

/// The steps between outputs of the energies, which are the only synchronisation.
constexpr int steps_between = 10;

void run(std::int64_t n_molecules, int n_steps, const rafter::ForceFieldWeights& weights) {
  const bool has_gpu = !rafter::why_unavailable(rafter::Device::cuda);
  const rafter::Stream stream = rafter::Stream::on(has_gpu ? rafter::Device::cuda : rafter::Device::cpu);
  const Molecules molecules = benzenes(n_molecules);
  Dynamics dynamics(stream, weights, molecules);
  for (const std::string& warning : dynamics.properties().warnings) std::printf("the model is %s\n", warning.c_str());

  std::printf("%lld benzenes on %s, energies in eV per atom\n%8s %12s %12s %12s\n", static_cast<long long>(n_molecules),
              has_gpu ? "cuda" : "cpu", "fs", "potential", "kinetic", "total");
  const auto n_atoms = static_cast<double>(molecules.elements.size());
  const auto start = std::chrono::steady_clock::now();
  std::vector<double> totals;
  for (int step = 0; step <= n_steps; ++step) {
    if (step > 0) dynamics.step();
    if (step % steps_between != 0) continue;
    const double potential = dynamics.potential_energy() / n_atoms, kinetic = dynamics.kinetic_energy() / n_atoms;
    totals.push_back(potential + kinetic);
    if (step % std::max(steps_between, n_steps / 10) == 0)
      std::printf("%8.1f %12.6f %12.6f %12.6f\n", step * time_step, potential, kinetic, totals.back());
  }
  const double elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("the total drifts by %.4f meV per atom in 1000 steps; %.0f steps of a molecule per second\n",
              1000 * slope_of(totals) * 1000 / steps_between, static_cast<double>(n_molecules) * n_steps / elapsed_s);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::int64_t n_molecules = argc > 1 ? std::atoll(argv[1]) : 16;
    const int n_steps = argc > 2 ? std::atoi(argv[2]) : 1000;
    if (n_molecules < 1 || n_steps < 1) {
      std::fprintf(stderr, "usage: dynamics [MOLECULES [STEPS [MODEL]]], both 1 or more\n");
      return 1;
    }
    run(n_molecules, n_steps, argc > 3 ? rafter::read_forcefield_weights(argv[3]) : random_painn());
    return 0;
  } catch (const rafter::Error& error) {
    std::fprintf(stderr, "dynamics: %s\n", error.what());
    return 1;
  }
}
