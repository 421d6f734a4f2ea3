// Finds the edges of a molecule with a cell list.
#include "forcefield/batch/forcefield_edges.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "rafter/error.hpp"

namespace rafter::forcefield_ladder {

namespace {

using Vector = std::array<double, 3>;
using Integers = std::array<std::int64_t, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Vector& a) { return std::sqrt(dot(a, a)); }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Returns unit vectors for the axes that are not periodic, orthogonal to the two other ones.
std::array<Vector, 3> completed(const UnitCell& cell) {
  std::array<Vector, 3> vectors = cell.vectors;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!cell.is_periodic[k]) vectors[k] = {};
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (cell.is_periodic[k]) continue;
    const Vector &a = vectors[(k + 1) % 3], &b = vectors[(k + 2) % 3];
    Vector best = cross(a, b);
    if (length(best) == 0) {  // one of the two is not known yet: choose the coordinate axis furthest from the other
      const Vector& other = length(a) > 0 ? a : b;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Vector unit{};
        unit[axis] = 1;
        const Vector normal = length(other) > 0 ? cross(cross(other, unit), other) : unit;
        if (length(normal) > length(best)) best = normal;
        if (length(other) == 0) break;
      }
    }
    const double n = length(best);
    for (double& x : best) x /= n;
    vectors[k] = best;
  }
  return vectors;
}

/// The bins of a molecule along the cell's vectors.
template <class T>
class Bins {
 public:
  Bins(const T* positions, std::int64_t n_atoms, double cutoff, const UnitCell* cell)
      : positions_(positions),
        n_atoms_(n_atoms),
        cutoff_(cutoff),
        geometry_(geometry_of(cell == nullptr ? UnitCell{} : *cell)) {
    place_atoms();
  }

  void find(EdgeList<T>& found) const {
    found.first.assign(1, 0);
    found.edges.clear();
    for (std::int64_t i = 0; i < n_atoms_; ++i) {
      const std::size_t begin = found.edges.size();
      find_of(i, found.edges);
      sort(found.edges, begin);
      found.first.push_back(std::ssize(found.edges));
    }
  }

 private:
  static constexpr std::int64_t most_bins = 64;  // along a vector; bounds the memory of sparse molecules

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  Vector coordinates(std::int64_t atom) const {
    Vector along{};
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t x = 0; x < 3; ++x)
        along[k] += geometry_.inverse[k][x] * static_cast<double>(positions_[3 * atom + static_cast<std::int64_t>(x)]);
    }
    return along;
  }

  void place_atoms() {
    std::vector<Vector> along(at(n_atoms_));
    Vector least{}, most{};
    for (std::int64_t i = 0; i < n_atoms_; ++i) {
      along[at(i)] = coordinates(i);
      for (std::size_t k = 0; k < 3; ++k) {
        const double value = std::isfinite(along[at(i)][k]) ? along[at(i)][k]
                                                            : 0;  // an atom without a finite position has no neighbours
        along[at(i)][k] = value;
        least[k] = i == 0 ? value : std::min(least[k], value);
        most[k] = i == 0 ? value : std::max(most[k], value);
      }
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const double extent = geometry_.is_periodic[k] ? geometry_.heights[k] : most[k] - least[k];
      n_bins_[k] = std::clamp(static_cast<std::int64_t>(std::min(extent / cutoff_, double{most_bins})), std::int64_t{1},
                              most_bins);
      const double width = extent / static_cast<double>(n_bins_[k]);
      reach_[k] = geometry_.is_periodic[k] ? static_cast<std::int64_t>(std::ceil(cutoff_ / width * (1 + 1e-9))) : 1;
    }
    cell_of_.resize(at(n_atoms_));
    bin_of_.resize(at(n_atoms_));
    first_.assign(at(n_bins_[0] * n_bins_[1] * n_bins_[2] + 1), 0);
    for (std::int64_t i = 0; i < n_atoms_; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        double share = along[at(i)][k];
        if (geometry_.is_periodic[k]) {
          cell_of_[at(i)][k] = static_cast<std::int64_t>(std::floor(share));
          share -= std::floor(share);
        } else {
          share = most[k] > least[k] ? (share - least[k]) / (most[k] - least[k]) : 0;
        }
        bin_of_[at(i)][k] = std::clamp(static_cast<std::int64_t>(share * static_cast<double>(n_bins_[k])),
                                       std::int64_t{0}, n_bins_[k] - 1);
      }
      ++first_[at(index_of(bin_of_[at(i)]) + 1)];
    }
    for (std::size_t b = 1; b < first_.size(); ++b) first_[b] += first_[b - 1];
    atoms_.resize(at(n_atoms_));
    std::vector<std::int64_t> next(first_.begin(), first_.end() - 1);
    for (std::int64_t i = 0; i < n_atoms_; ++i) atoms_[at(next[at(index_of(bin_of_[at(i)]))]++)] = i;
  }

  std::int64_t index_of(const Integers& bin) const { return (bin[0] * n_bins_[1] + bin[1]) * n_bins_[2] + bin[2]; }

  void find_of(std::int64_t receiver, std::vector<Edge<T>>& edges) const {
    Integers step{};
    const Integers& home = bin_of_[at(receiver)];
    for (step[0] = -reach_[0]; step[0] <= reach_[0]; ++step[0]) {
      for (step[1] = -reach_[1]; step[1] <= reach_[1]; ++step[1]) {
        for (step[2] = -reach_[2]; step[2] <= reach_[2]; ++step[2]) {
          Integers bin{}, image{};
          bool is_inside = true;
          for (std::size_t k = 0; k < 3; ++k) {
            const std::int64_t unfolded = home[k] + step[k];
            if (geometry_.is_periodic[k]) {
              image[k] = unfolded >= 0 ? unfolded / n_bins_[k] : -((n_bins_[k] - 1 - unfolded) / n_bins_[k]);
              bin[k] = unfolded - image[k] * n_bins_[k];
            } else {
              is_inside = is_inside && unfolded >= 0 && unfolded < n_bins_[k];
              bin[k] = unfolded;
            }
          }
          if (is_inside) find_in(receiver, bin, image, edges);
        }
      }
    }
  }

  void find_in(std::int64_t receiver, const Integers& bin, const Integers& image, std::vector<Edge<T>>& edges) const {
    const std::int64_t b = index_of(bin);
    for (std::int64_t i = first_[at(b)]; i < first_[at(b + 1)]; ++i) {
      const std::int64_t sender = atoms_[at(i)];
      Integers shift{};  // whole cells from the sender to its image
      for (std::size_t k = 0; k < 3; ++k) shift[k] = image[k] + cell_of_[at(receiver)][k] - cell_of_[at(sender)][k];
      if (sender == receiver && shift == Integers{}) continue;
      Edge<T> edge{static_cast<std::int32_t>(sender), {}};
      T square = 0;
      for (std::int64_t x = 0; x < 3; ++x) {
        double moved = 0;
        for (std::size_t k = 0; k < 3; ++k)
          moved += static_cast<double>(shift[k]) * geometry_.vectors[k][static_cast<std::size_t>(x)];
        edge.vector[x] = (positions_[3 * sender + x] - positions_[3 * receiver + x]) + static_cast<T>(moved);
        square += edge.vector[x] * edge.vector[x];
      }
      if (std::sqrt(square) <= static_cast<T>(cutoff_)) edges.push_back(edge);
    }
  }

  /// Sorts edges by sender, and images of a sender by their vectors, so that the order does not depend on the bins.
  static void sort(std::vector<Edge<T>>& edges, std::size_t begin) {
    std::sort(edges.begin() + static_cast<std::ptrdiff_t>(begin), edges.end(), [](const Edge<T>& a, const Edge<T>& b) {
      if (a.sender != b.sender) return a.sender < b.sender;
      return std::lexicographical_compare(a.vector, a.vector + 3, b.vector, b.vector + 3);
    });
  }

  const T* positions_;
  std::int64_t n_atoms_;
  double cutoff_;
  CellGeometry geometry_;
  Integers n_bins_{}, reach_{};
  std::vector<Integers> cell_of_, bin_of_;   // [atoms]
  std::vector<std::int64_t> first_, atoms_;  // atoms sorted by bin
};

/// Finds the edges of a small molecule without a cell by testing all pairs.
template <class T>
void find_among_all(const T* positions, std::int64_t n_atoms, double cutoff, EdgeList<T>& found) {
  found.first.assign(1, 0);
  found.edges.clear();
  for (std::int64_t i = 0; i < n_atoms; ++i) {
    for (std::int64_t j = 0; j < n_atoms; ++j) {
      Edge<T> edge{static_cast<std::int32_t>(j), {}};
      T square = 0;
      for (std::int64_t x = 0; x < 3; ++x) {
        edge.vector[x] = positions[3 * j + x] - positions[3 * i + x];
        square += edge.vector[x] * edge.vector[x];
      }
      if (i != j && std::sqrt(square) <= static_cast<T>(cutoff)) found.edges.push_back(edge);
    }
    found.first.push_back(std::ssize(found.edges));
  }
}

}  // namespace

CellGeometry geometry_of(const UnitCell& cell) {
  CellGeometry geometry{};
  const std::array<Vector, 3> vectors = completed(cell);
  const double volume = dot(vectors[0], cross(vectors[1], vectors[2]));
  double product = 1;
  for (const Vector& vector : vectors) product *= length(vector);
  if (!(std::abs(volume) > 1e-9 * product) || !std::isfinite(volume))
    throw Error(ErrorCode::bad_argument, "the periodic vectors of a cell span no volume");
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector face = cross(vectors[(k + 1) % 3], vectors[(k + 2) % 3]);
    for (std::size_t x = 0; x < 3; ++x) {
      geometry.vectors[k][x] = vectors[k][x];
      geometry.inverse[k][x] = face[x] / volume;
    }
    geometry.heights[k] = std::abs(volume) / length(face);
    geometry.is_periodic[k] = cell.is_periodic[k];
  }
  return geometry;
}

template <class T>
void find_edges(const T* positions, std::int64_t n_atoms, double cutoff, const UnitCell* cell, EdgeList<T>& found) {
  constexpr std::int64_t few = 100;
  const bool repeats = cell != nullptr && cell->repeats();
  if (!repeats && n_atoms <= few) return find_among_all(positions, n_atoms, cutoff, found);
  Bins<T>(positions, n_atoms, cutoff, repeats ? cell : nullptr).find(found);
}

template void find_edges(const float*, std::int64_t, double, const UnitCell*, EdgeList<float>&);
template void find_edges(const double*, std::int64_t, double, const UnitCell*, EdgeList<double>&);

}  // namespace rafter::forcefield_ladder
