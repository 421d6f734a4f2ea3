// edge_vectors and edge_gradient: check their arguments and call the best rung of the stream's device.
#include <string>

#include "edges/edges_rung.hpp"
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"

namespace rafter {

namespace edges_ladder {
namespace cpu {
extern const EdgesRung threads;
}
namespace cuda {
extern const EdgesRung by_atom;
}
}  // namespace edges_ladder

namespace {

using edges_ladder::EdgePointers;

template <class T>
EdgePointers<T> checked_edges(const char* op, const EdgeArrays<T>& arrays, std::int64_t n) {
  core::require_size(op, "vectors", arrays.vectors, 3 * n);
  core::require_size(op, "distances", arrays.distances, n);
  core::require_size(op, "units", arrays.units, 3 * n);
  core::require_array(op, "vectors", arrays.vectors);
  core::require_array(op, "distances", arrays.distances);
  core::require_array(op, "units", arrays.units);
  return {arrays.vectors.data(), arrays.distances.data(), arrays.units.data()};
}

void require_edge_positions(const char* op, std::span<const float> positions) {
  if (positions.size() % 3 != 0)
    core::refuse(op, "positions", "should have three elements per atom, has " + std::to_string(positions.size()));
  core::require_array(op, "positions", positions);
}

template <class In>
void require_edges_apart(const char* op, const char* input, std::span<In> in, const char* output,
                         std::span<float> out) {
  core::require_disjoint(op, input, std::as_bytes(in), output, std::as_bytes(out));
}

void require_edges_apart_from_inputs(const char* op, std::span<const float> positions,
                                     std::span<const std::int64_t> index, const EdgeArrays<float>& out) {
  const auto require = [&](const char* name, std::span<float> one) {
    require_edges_apart(op, "positions", positions, name, one);
    require_edges_apart(op, "index", index, name, one);
  };
  require("vectors", out.vectors);
  require("distances", out.distances);
  require("units", out.units);
  require_edges_apart(op, "vectors", out.vectors, "distances", out.distances);
  require_edges_apart(op, "vectors", out.vectors, "units", out.units);
  require_edges_apart(op, "distances", out.distances, "units", out.units);
}

}  // namespace

void v1::edge_vectors(const Stream& stream, std::span<const float> positions, std::span<const std::int64_t> index,
                      const EdgeArrays<float>& out) {
  using namespace edges_ladder;
  constexpr const char* op = "edge_vectors";
  require_edge_positions(op, positions);
  if (index.size() % 2 != 0)
    core::refuse(op, "index", "should have two elements per edge, has " + std::to_string(index.size()));
  core::require_array(op, "index", index);
  const std::int64_t n = std::ssize(index) / 2;
  const EdgePointers<float> to = checked_edges(op, out, n);
  require_edges_apart_from_inputs(op, positions, index, out);
  core::dispatch<cpu::threads, cuda::by_atom>(op, stream,
                                              EdgeVectorArgs{positions.data(), index.data(), index.data() + n, n, to});
}

void v1::edge_gradient(const Stream& stream, std::span<const float> positions, const EdgePlan& plan,
                       const EdgeArrays<const float>& out_gradient, std::span<float> gradient) {
  using namespace edges_ladder;
  constexpr const char* op = "edge_gradient";
  require_edge_positions(op, positions);
  core::require_size(op, "positions", positions, 3 * plan.n_atoms());
  if (stream.device() != plan.stream().device() || stream.ordinal() != plan.stream().ordinal())
    core::refuse(op, "plan", "must be on the device of the stream");
  const EdgePointers<const float> from = checked_edges(op, out_gradient, plan.n_edges());
  core::require_size(op, "gradient", gradient, 3 * plan.n_atoms());
  core::require_array(op, "gradient", gradient);
  require_edges_apart(op, "positions", positions, "gradient", gradient);
  require_edges_apart(op, "vectors", out_gradient.vectors, "gradient", gradient);
  require_edges_apart(op, "distances", out_gradient.distances, "gradient", gradient);
  require_edges_apart(op, "units", out_gradient.units, "gradient", gradient);
  core::dispatch<cpu::threads, cuda::by_atom>(op, stream,
                                              EdgeGradientArgs{.positions = positions.data(),
                                                               .n_atoms = plan.n_atoms(),
                                                               .pairs = plan.pairs().data(),
                                                               .n_edges = plan.n_edges(),
                                                               .ends = plan.ends().data(),
                                                               .first_ends = plan.first_ends().data(),
                                                               .out_gradient = from,
                                                               .gradient = gradient.data()});
}

}  // namespace rafter
