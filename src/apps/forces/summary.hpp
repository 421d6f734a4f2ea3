// Summary of the energies and forces of many frames.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/forces/frame.hpp"

namespace rafter::forces {

struct FrameEnergy {
  std::int64_t frame = 0;
  double energy = 0;  ///< eV
};

struct AtomForce {
  std::int64_t frame = 0, atom = 0;
  double force = 0;  ///< magnitude, eV / Angstrom
};

/// Summarises frames as they are computed. Of equal extremes, the first is kept.
class ForcesSummary {
 public:
  static constexpr std::size_t n_skipped_shown = 5;

  /// Adds a computed frame; `forces` is [atoms][3], or empty. T is float or double.
  template <class T>
  void add(const Frame& frame, double energy, std::span<const T> forces);
  void add(const SkippedFrame& skipped);

  std::int64_t n_frames() const { return n_frames_; }
  std::int64_t n_atoms() const { return n_atoms_; }
  std::int64_t n_skipped() const { return n_skipped_; }
  const FrameEnergy& lowest() const { return lowest_; }
  const FrameEnergy& highest() const { return highest_; }
  const AtomForce& largest() const { return largest_; }
  /// The first skipped frames.
  const std::vector<SkippedFrame>& skipped() const { return skipped_; }

 private:
  std::int64_t n_frames_ = 0, n_atoms_ = 0, n_skipped_ = 0;
  FrameEnergy lowest_, highest_;
  AtomForce largest_;
  std::vector<SkippedFrame> skipped_;
};

}  // namespace rafter::forces
