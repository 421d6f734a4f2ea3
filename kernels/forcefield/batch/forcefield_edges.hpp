// Who is near whom, on the host: the edges of a molecule by receiver, in a cell that may repeat.
//
// Atoms are sorted into bins at least a cutoff wide where there are enough of them, so that an atom meets those of the
// 27 bins around it only; along a periodic vector the bins repeat, as often as the cutoff reaches. An edge and the one
// the other way round have the same distance to the bit: a difference and its negative, and shifts likewise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rafter/forcefield.hpp"

namespace rafter::forcefield_ladder {

/// From a neighbour to the atom that hears from it.
template <class T>
struct Edge {
  std::int32_t sender;  // in the molecule
  T vector[3];          // from the receiver to the sender, or to an image of it
};

template <class T>
struct EdgeList {
  std::vector<std::int64_t> first{};  // [atoms + 1]: where each receiver's edges begin
  std::vector<Edge<T>> edges{};       // by receiver, then by sender, then by image

  std::span<const Edge<T>> of(std::int64_t receiver) const {
    const auto i = static_cast<std::size_t>(receiver);
    return std::span(edges).subspan(static_cast<std::size_t>(first[i]),
                                    static_cast<std::size_t>(first[i + 1] - first[i]));
  }
};

/// Edges of length cutoff or less. `cell` may be null; positions need not lie in it.
template <class T>
void find_edges(const T* positions, std::int64_t n_atoms, double cutoff, const UnitCell* cell, EdgeList<T>& found);

/// Vectors that reach through a cell: row k times a position is its coordinate along vector k. Axes that do not repeat
/// get a vector of their own. `heights` are the distances of opposite faces.
struct CellGeometry {
  double vectors[3][3];
  double inverse[3][3];
  double heights[3];
  bool is_periodic[3];
};

/// Throws Error (bad_argument) for periodic vectors that span no volume.
CellGeometry geometry_of(const UnitCell& cell);

}  // namespace rafter::forcefield_ladder
