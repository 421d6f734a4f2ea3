// Frames with what was calculated for them, as extended XYZ.
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
  std::span<const T> forces{};        ///< [atoms][3], eV / Angstrom; empty: not calculated
  std::optional<Tensor3x3> virial{};  ///< eV
};

/// Appends the frame: its cell and its other keys, energy, virial, and of a cell that repeats the stress, -virial over
/// volume; then symbol, position and force of each atom. Every number has the digits that make it the same when read.
/// T is float or double.
template <class T>
void append_frame(std::string& text, const Frame& frame, const FrameResults<T>& results);

}  // namespace rafter::forces
