// The directions and filters of a molecule's edges, for the reference.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "forcefield/batch/forcefield_edges.hpp"
#include "forcefield/model/forcefield_filters.hpp"

namespace rafter::forcefield_ladder {

inline constexpr double unit_epsilon = 1e-8;  // student: u = e / (d + this)

/// The direction from the receiver of an edge to its sender.
template <class T>
struct EdgeDirection {
  T unit[3];
  T distance;
  T divisor;  // the divisor of the unit vector

  EdgeDirection(const ModelView& model, const Edge<T>& edge) {
    const auto& e = edge.vector;
    distance = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    divisor = model.is_painn() ? distance : distance + static_cast<T>(unit_epsilon);
    for (int x = 0; x < 3; ++x) unit[x] = e[x] / divisor;
  }
};

/// The filters of edges, kept for the backward pass and for the reverse edge unless they need too much memory.
template <class T>
class ReferenceFilters {
 public:
  /// The filters of an edge and their slopes, [filter][f] each.
  struct Filters {
    const T* values;
    const T* slopes;
  };

  explicit ReferenceFilters(const ModelView& model)
      : model_(model), network_(model), size_(2 * n_filters * model.features) {}

  /// Sets the edges, of a molecule of n atoms.
  void prepare(const EdgeList<T>& edges, std::int64_t n_atoms) {
    constexpr std::int64_t most = std::int64_t{1} << 24;
    n_edges_ = std::ssize(edges.edges);
    is_kept_ = model_.layers * n_edges_ * size_ <= most;
    filters_.resize(at(size_ * (is_kept_ ? model_.layers * n_edges_ : 1)));
    if (!is_kept_) return;
    find_opposites(edges, n_atoms);
    for (std::int64_t l = 0; l < model_.layers; ++l) {
      for (std::int64_t e = 0; e < n_edges_; ++e) {
        if (same_as_[at(e)] == e)
          evaluate(l, EdgeDirection<T>(model_, edges.edges[at(e)]).distance,
                   filters_.data() + (l * n_edges_ + e) * size_);
      }
    }
  }

  /// Returns the filters of an edge; valid until the next call.
  Filters of(std::int64_t layer, std::int64_t edge, T distance) {
    const T* kept = filters_.data();
    if (is_kept_) {
      kept += (layer * n_edges_ + same_as_[at(edge)]) * size_;
    } else {
      evaluate(layer, distance, filters_.data());
    }
    return {kept, kept + size_ / 2};
  }

 private:
  static constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  void find_opposites(const EdgeList<T>& edges, std::int64_t n_atoms) {
    same_as_.clear();
    for (std::int64_t i = 0; i < n_atoms; ++i) {
      for (const Edge<T>& edge : edges.of(i)) {
        std::int64_t same = &edge - edges.edges.data();
        if (edge.sender < i) {
          for (const Edge<T>& other : edges.of(edge.sender)) {
            const bool is_opposite = other.sender == i && other.vector[0] == -edge.vector[0] &&
                                     other.vector[1] == -edge.vector[1] && other.vector[2] == -edge.vector[2];
            if (is_opposite) same = &other - edges.edges.data();
          }
        }
        same_as_.push_back(same);
      }
    }
  }

  void evaluate(std::int64_t layer, T distance, T* to) {
    network_.set_distance(distance);
    network_.evaluate(layer, to, to + size_ / 2);
  }

  ModelView model_;
  FilterNetwork<T> network_;
  std::int64_t size_;  // number of an edge's values and slopes
  std::int64_t n_edges_ = 0;
  bool is_kept_ = false;
  std::vector<std::int64_t> same_as_;  // [edges]: an earlier edge of the same length, or the edge itself
  std::vector<T> filters_;             // if kept: [layer][edge][values, slopes][filter][f]; otherwise those of one edge
};

}  // namespace rafter::forcefield_ladder
