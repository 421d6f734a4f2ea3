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
EdgePointers<T> checked_edges(const Stream& stream, const char* op, const EdgeArrays<T>& arrays, std::int64_t n) {
  core::require_size(op, "vectors", arrays.vectors, 3 * n);
  core::require_size(op, "distances", arrays.distances, n);
  core::require_size(op, "units", arrays.units, 3 * n);
  core::require_array(stream, op, "vectors", arrays.vectors);
  core::require_array(stream, op, "distances", arrays.distances);
  core::require_array(stream, op, "units", arrays.units);
  return {arrays.vectors.data(), arrays.distances.data(), arrays.units.data()};
}

void require_edge_positions(const Stream& stream, const char* op, DeviceSpan<const float> positions) {
  if (positions.size() % 3 != 0)
    core::refuse(op, "positions", "should have three elements per atom, has " + std::to_string(positions.size()));
  core::require_array(stream, op, "positions", positions);
}

void require_edges_apart_from_inputs(const char* op, DeviceSpan<const float> positions,
                                     DeviceSpan<const std::int64_t> index, const EdgeArrays<float>& out) {
  const auto require = [&](const char* name, DeviceSpan<float> one) {
    core::require_disjoint(op, "positions", positions, name, one);
    core::require_disjoint(op, "index", index, name, one);
  };
  require("vectors", out.vectors);
  require("distances", out.distances);
  require("units", out.units);
  core::require_disjoint(op, "vectors", out.vectors, "distances", out.distances);
  core::require_disjoint(op, "vectors", out.vectors, "units", out.units);
  core::require_disjoint(op, "distances", out.distances, "units", out.units);
}

}  // namespace

void v1::edge_vectors(const Stream& stream, DeviceSpan<const float> positions, DeviceSpan<const std::int64_t> index,
                      const EdgeArrays<float>& out) {
  using namespace edges_ladder;
  constexpr const char* op = "edge_vectors";
  require_edge_positions(stream, op, positions);
  if (index.size() % 2 != 0)
    core::refuse(op, "index", "should have two elements per edge, has " + std::to_string(index.size()));
  core::require_array(stream, op, "index", index);
  const std::int64_t n = index.size() / 2;
  const EdgePointers<float> to = checked_edges(stream, op, out, n);
  require_edges_apart_from_inputs(op, positions, index, out);
  core::dispatch<cpu::threads, cuda::by_atom>(op, stream,
                                              EdgeVectorArgs{positions.data(), index.data(), index.data() + n, n, to});
}

void v1::edge_gradient(const Stream& stream, DeviceSpan<const float> positions, const EdgePlan& plan,
                       const EdgeArrays<const float>& out_gradient, DeviceSpan<float> gradient) {
  using namespace edges_ladder;
  constexpr const char* op = "edge_gradient";
  require_edge_positions(stream, op, positions);
  core::require_size(op, "positions", positions, 3 * plan.n_atoms());
  if (stream.device() != plan.stream().device() || stream.ordinal() != plan.stream().ordinal())
    core::refuse(op, "plan", "must be on the device of the stream");
  const EdgePointers<const float> from = checked_edges(stream, op, out_gradient, plan.n_edges());
  core::require_size(op, "gradient", gradient, 3 * plan.n_atoms());
  core::require_array(stream, op, "gradient", gradient);
  core::require_disjoint(op, "positions", positions, "gradient", gradient);
  core::require_disjoint(op, "vectors", out_gradient.vectors, "gradient", gradient);
  core::require_disjoint(op, "distances", out_gradient.distances, "gradient", gradient);
  core::require_disjoint(op, "units", out_gradient.units, "gradient", gradient);
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
