// Edges of a graph in space: vectors, distances and unit vectors, and their gradient with respect to the positions.
#pragma once

#include <cstdint>

#include "rafter/buffer.hpp"
#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/stream.hpp"

namespace rafter::inline v1 {

/// Arrays of n edges, each from an atom `source` to an atom `target`. Vectors are [n][3].
template <class T>
struct EdgeArrays {
  DeviceSpan<T> vectors;    ///< e = r[source] - r[target]
  DeviceSpan<T> distances;  ///< d = |e|, [n]
  DeviceSpan<T> units;      ///< u = e / (d + 1e-8)
};

/// A graph's edges, with the edge ends sorted by atom, so that the edges of an atom can be summed without atomics and
/// in the same order every time. Built once per graph; immutable, on the stream's device.
///
/// Threads may share an object.
class RAFTER_API EdgePlan {
 public:
  /// Builds the plan of `index`, [2][n], sources and then targets, on the stream's device. Waits for the device. Takes
  /// 24 bytes per edge and 8 per atom. Throws Error (bad_argument) when an atom is not in [0, n_atoms), and
  /// (unsupported) for 2^30 or more edges or atoms.
  EdgePlan(const Stream& stream, DeviceSpan<const std::int64_t> index, std::int64_t n_atoms);

  [[nodiscard]] std::int64_t n_edges() const noexcept { return pairs_.size(); }
  [[nodiscard]] std::int64_t n_atoms() const noexcept { return first_ends_.size() / 2; }
  [[nodiscard]] const Stream& stream() const noexcept { return pairs_.stream(); }

  /// The atoms of an edge.
  struct Pair {
    std::int32_t source;
    std::int32_t target;
  };
  [[nodiscard]] DeviceSpan<const Pair> pairs() const noexcept { return pairs_.span(); }  ///< [n_edges]

  /// One end of an edge, as seen from the atom there.
  struct End {
    std::int32_t edge;
    std::int32_t other;  ///< the atom at the other end
  };
  /// The ends grouped by atom, [2 n_edges]: first those where the atom is the source, then those where it is the
  /// target, each in the order of the edges.
  [[nodiscard]] DeviceSpan<const End> ends() const noexcept { return ends_.span(); }
  /// The first end of atom a, [2 n_atoms + 1]: as source at [2a], as target at [2a + 1].
  [[nodiscard]] DeviceSpan<const std::int32_t> first_ends() const noexcept { return first_ends_.span(); }

 private:
  struct OnHost;
  EdgePlan(const Stream& stream, const OnHost& plan);

  Buffer<Pair> pairs_;
  Buffer<End> ends_;
  Buffer<std::int32_t> first_ends_;
};

/// Writes the vectors, distances and unit vectors of edges between atoms at `positions`, [atoms][3]. `index` is [2][n],
/// sources and then targets, like PyTorch Geometric's edge_index. Atom indices are not checked.
///
/// The caller owns all arrays, in memory of the stream's device; results must not overlap anything. Vectors are rounded
/// once. The relative error of distances is below 2^-21 and that of unit vectors below 2^-20, except for vectors
/// shorter than 1e-18.
///
/// Deterministic. One launch, no allocation, no synchronisation; may be captured in a CUDA graph. Throws Error
/// (bad_argument) when sizes do not fit, an array is null or misaligned, or a result overlaps an input.
RAFTER_API void edge_vectors(const Stream& stream, DeviceSpan<const float> positions,
                             DeviceSpan<const std::int64_t> index, const EdgeArrays<float>& out);

/// Writes the gradient of a loss with respect to the positions, given those with respect to the results of
/// edge_vectors(). The plan must be on the stream's device. A distance of 0 has the derivative 0.
///
/// Each atom's edges are added in float, always in the same order. Otherwise like edge_vectors().
RAFTER_API void edge_gradient(const Stream& stream, DeviceSpan<const float> positions, const EdgePlan& plan,
                              const EdgeArrays<const float>& out_gradient, DeviceSpan<float> gradient);

}  // namespace rafter::inline v1
