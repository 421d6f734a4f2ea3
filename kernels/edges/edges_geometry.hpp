// The arrays of edges as pointers.
#pragma once

#include <cstdint>

namespace rafter::edges_ladder {

/// The summand of the divisor d + epsilon of unit vectors.
inline constexpr float unit_epsilon = 1e-8F;

template <class T>
struct EdgePointers {
  T* vectors;    // [n_edges][3]
  T* distances;  // [n_edges]
  T* units;      // [n_edges][3]

  constexpr EdgePointers from(std::int64_t edge) const {
    return {vectors + 3 * edge, distances + edge, units + 3 * edge};
  }
};

}  // namespace rafter::edges_ladder
