// Bins a cutoff wide, which divide all of space, or the cell along periodic vectors.
#pragma once

#include "forcefield/cuda/forcefield_range.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

/// The bin and the cell of an atom.
struct BinPlace {
  unsigned long long key;  // the bin's coordinates, 21 bits each
  double cells[3];         // whole cells along periodic vectors
};

/// The bins of a molecule.
class BinGrid {
 public:
  static constexpr int key_bits = 21;
  static constexpr int most_bins =
      1 << key_bits;  // along a vector; if it is not periodic, keys repeat after this number

  __device__ BinGrid(const CellGeometry* cell, double cutoff)
      : cell_(cell), width_(cutoff * (1 + 1e-4)) {  // margin for the rounding of positions, differences and shifts
    for (int k = 0; k < 3; ++k) {
      n_bins_[k] = most_bins;
      reach_[k] = 1;
      if (!repeats(k)) continue;
      const double n = cell_->heights[k] / width_;
      n_bins_[k] = static_cast<int>(fmin(fmax(floor(n), 1.0), double{most_bins}));
      reach_[k] = static_cast<int>(ceil(n_bins_[k] / n));
    }
  }

  template <class T>
  __device__ BinPlace place_of(const T* position) const {
    BinPlace place{};
    for (int k = 0; k < 3; ++k) {
      const double along = cell_ == nullptr ? static_cast<double>(position[k]) : coordinate(*cell_, k, position);
      double bin;
      if (repeats(k)) {
        place.cells[k] = floor(along);
        bin = fmin(floor((along - place.cells[k]) * n_bins_[k]), n_bins_[k] - 1.0);
      } else {
        bin = floor(along / width_);
        bin -= floor(bin / most_bins) * most_bins;
      }
      // A coordinate that is not finite has no neighbours, in whichever bin it is.
      place.key |= static_cast<unsigned long long>(bin >= 0 ? bin : 0.0) << k * key_bits;
    }
    return place;
  }

  /// A bin around another one, and its distance in cells.
  struct Around {
    unsigned long long key;
    int cells[3];
  };
  __device__ std::int64_t n_around() const {
    return (2 * std::int64_t{reach_[0]} + 1) * (2 * std::int64_t{reach_[1]} + 1) * (2 * std::int64_t{reach_[2]} + 1);
  }
  /// Returns the i-th bin around a bin.
  __device__ Around around(unsigned long long key, std::int64_t i) const {
    Around bin{};
    for (int k = 2; k >= 0; --k) {
      const int span = 2 * reach_[k] + 1;
      int at = static_cast<int>(key >> k * key_bits & (most_bins - 1)) + static_cast<int>(i % span) - reach_[k];
      if (repeats(k)) {
        bin.cells[k] = at >= 0 ? at / n_bins_[k] : -((n_bins_[k] - 1 - at) / n_bins_[k]);
        at -= bin.cells[k] * n_bins_[k];
      }
      bin.key |= static_cast<unsigned long long>(at & (most_bins - 1)) << k * key_bits;
      i /= span;
    }
    return bin;
  }

 private:
  __device__ bool repeats(int k) const { return cell_ != nullptr && cell_->is_periodic[k]; }

  const CellGeometry* cell_;
  double width_;
  int n_bins_[3], reach_[3];
};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
