// Neighbour search on the host: the edges of a molecule by receiver, with an optional periodic cell.
//
// If there are enough atoms, they are sorted into bins at least a cutoff wide, so that an atom is only compared with
// those of the 27 bins around it; along a periodic vector the bins repeat as far as the cutoff reaches. An edge and its
// reverse have bitwise the same distance: their vectors, including the shifts, are exact negatives.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rafter/forcefield.hpp"

namespace rafter::forcefield_ladder {

/// An edge from a neighbour (the sender) to an atom (the receiver).
template <class T>
struct Edge {
  std::int32_t sender;  // its index in the molecule
  T vector[3];          // from the receiver to the sender, or to an image of it
};

template <class T>
struct EdgeList {
  std::vector<std::int64_t> first{};  // [atoms + 1]: each receiver's first edge
  std::vector<Edge<T>> edges{};       // by receiver, then by sender, then by image

  std::span<const Edge<T>> of(std::int64_t receiver) const {
    const auto i = static_cast<std::size_t>(receiver);
    return std::span(edges).subspan(static_cast<std::size_t>(first[i]),
                                    static_cast<std::size_t>(first[i + 1] - first[i]));
  }
};

/// Returns the edges of length cutoff or less. `cell` may be null; positions may be outside of it.
template <class T>
void find_edges(const T* positions, std::int64_t n_atoms, double cutoff, const UnitCell* cell, EdgeList<T>& found);

/// The inverse of a cell's vectors: row k times a position is its coordinate along vector k. Axes that are not periodic
/// get a unit vector. `heights` are the distances of opposite faces.
struct CellGeometry {
  double vectors[3][3];
  double inverse[3][3];
  double heights[3];
  bool is_periodic[3];
};

/// Throws Error (bad_argument) for periodic vectors that span no volume.
CellGeometry geometry_of(const UnitCell& cell);

}  // namespace rafter::forcefield_ladder
