// Writes frames with their results as extended XYZ.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "apps/forces/frame.hpp"

namespace rafter::forces {

using Tensor3x3 = std::array<double, 9>;

template <class T>
struct FrameResults {
  double energy = 0;                  ///< eV
  std::span<const T> forces{};        ///< [atoms][3], eV / Angstrom; empty: not computed
  std::optional<Tensor3x3> virial{};  ///< eV
};

/// Appends a frame: its cell and other keys, energy, virial and, for a periodic cell, the stress (-virial / volume);
/// then symbol, position and force of each atom. Numbers read back exactly. T is float or double.
template <class T>
void append_frame(std::string& text, const Frame& frame, const FrameResults<T>& results);

}  // namespace rafter::forces
