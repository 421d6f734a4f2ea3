// Edges of a graph in space: vectors, distances and unit vectors, and their gradient by the positions.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/buffer.hpp"
#include "rafter/stream.hpp"

namespace rafter {

/// What belongs to n edges, each from an atom `source` to an atom `target`. Vectors are [n][3].
template <class T>
struct EdgeArrays {
  std::span<T> vectors;    ///< e = r[source] - r[target]
  std::span<T> distances;  ///< d = |e|, [n]
  std::span<T> units;      ///< u = e / (d + 1e-8)
};

/// A graph's edges, and which of them meet at each atom, sorted, so that what belongs to an atom's edges can be added
/// up without atomics and in the same order every time. Made once for a graph; immutable, on the stream's device.
class EdgePlan {
 public:
  /// `index` is [2][n], sources and then targets, on the stream's device, which is waited for. Takes 24 bytes an edge
  /// and 8 an atom. Throws Error (bad_argument) when an atom is not in [0, n_atoms), and (unsupported) for 2^30 edges
  /// or atoms and more.
  EdgePlan(const Stream& stream, std::span<const std::int64_t> index, std::int64_t n_atoms);

  std::int64_t n_edges() const noexcept { return pairs_.size(); }
  std::int64_t n_atoms() const noexcept { return first_ends_.size() / 2; }
  const Stream& stream() const noexcept { return pairs_.stream(); }

  /// The atoms of an edge.
  struct Pair {
    std::int32_t source;
    std::int32_t target;
  };
  std::span<const Pair> pairs() const noexcept { return pairs_.span(); }  ///< [n_edges]

  /// An end of an edge, as the atom there sees it.
  struct End {
    std::int32_t edge;
    std::int32_t other;  ///< the atom at its other end
  };
  /// [2 n_edges]: atom by atom the ends where it is the source, then those where it is the target; edges in their
  /// order.
  std::span<const End> ends() const noexcept { return ends_.span(); }
  /// [2 n_atoms + 1]: where the ends of atom a begin among them, as source at [2a] and as target at [2a + 1].
  std::span<const std::int32_t> first_ends() const noexcept { return first_ends_.span(); }

 private:
  struct OnHost;
  EdgePlan(const Stream& stream, const OnHost& plan);

  Buffer<Pair> pairs_;
  Buffer<End> ends_;
  Buffer<std::int32_t> first_ends_;
};

/// Writes the vectors, distances and unit vectors of edges between atoms at `positions`, [atoms][3]. `index` is [2][n],
/// sources and then targets, as PyTorch Geometric's edge_index has them; atoms that are not there are not looked for.
///
/// Arrays are the caller's, on the stream's device; results overlap nothing. Vectors are rounded once; distances are
/// within 2^-21 and unit vectors within 2^-20 of themselves, but for vectors shorter than 1e-18.
///
/// Deterministic. One launch, no allocation, no synchronisation; may be captured in a CUDA graph.
/// Throws Error (bad_argument) when sizes do not fit, an array is null or misaligned, or a result overlaps an input.
void edge_vectors(const Stream& stream, std::span<const float> positions, std::span<const std::int64_t> index,
                  const EdgeArrays<float>& out);

/// The gradient of a loss by the positions, from the ones by edge_vectors()'s results. Edges are those of a plan, which
/// is of the stream's device. A distance of 0 has the slope 0.
///
/// Each atom's edges are added in float, always in the same order. Otherwise as edge_vectors().
void edge_gradient(const Stream& stream, std::span<const float> positions, const EdgePlan& plan,
                   const EdgeArrays<const float>& out_gradient, std::span<float> gradient);

}  // namespace rafter
