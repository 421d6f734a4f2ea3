// Test molecules as XYZ, with atoms about 1.2 Angstrom apart.
#pragma once

#include <cmath>
#include <random>
#include <string>

#include "rafter/forcefield.hpp"

namespace rafter::forces {

/// Returns a frame of `n_atoms` random atoms, shifted by `moved` along each axis.
inline std::string molecule(int n_atoms, unsigned seed, double moved = 0, const std::string& comment = "") {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-0.2, 0.2);
  const int side = static_cast<int>(std::ceil(std::cbrt(n_atoms)));
  std::string text = std::to_string(n_atoms) + "\n" + comment + "\n";
  for (int i = 0; i < n_atoms; ++i) {
    constexpr const char* symbols[] = {"H", "C", "N", "O"};
    text += symbols[random() % 4];
    for (const int cell : {i % side, i / side % side, i / side / side})
      text += " " + std::to_string(1.2 * cell + uniform(random) + moved);
    text += "\n";
  }
  return text;
}

/// Returns n molecules of 1 to 20 atoms.
inline std::string molecules(int n) {
  std::string text;
  for (int i = 0; i < n; ++i)
    text += molecule(1 + i * 7 % 20, static_cast<unsigned>(i), 0, "name=m" + std::to_string(i));
  return text;
}

inline const ForceFieldShape small_painn{
    .model = ForceFieldModel::painn, .features = 16, .layers = 2, .radial = 8, .readout = {8}, .cutoff = 4};

}  // namespace rafter::forces
