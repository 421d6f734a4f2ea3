// Radial functions and edges of graphs in space.
#include "library/c_api/tensors.hpp"
#include "rafter/edges.hpp"
#include "rafter/radial.hpp"

struct rafter_edge_plan {
  rafter::EdgePlan plan;
};

namespace c = rafter::c_api;

rafter_status rafter_radial(const rafter_stream* stream, const rafter_tensor* distances, const rafter_tensor* centres,
                            float gamma, float cutoff, const rafter_tensor* out) noexcept {
  return c::guarded(c::Function("rafter_radial"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    const auto lengths = given.array<const float>("distances", distances, {c::any});
    const auto at = given.array<const float>("centres", centres, {c::any});
    rafter::radial(given.stream(), lengths, {.centres = at, .gamma = gamma, .cutoff = cutoff},
                   given.array<float>("out", out, {distances->shape[0], centres->shape[0]}));
  });
}

rafter_status rafter_radial_gradient(const rafter_stream* stream, const rafter_tensor* distances,
                                     const rafter_tensor* centres, float gamma, float cutoff,
                                     const rafter_tensor* out_gradient, const rafter_tensor* gradient) noexcept {
  return c::guarded(c::Function("rafter_radial_gradient"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    const auto lengths = given.array<const float>("distances", distances, {c::any});
    const auto at = given.array<const float>("centres", centres, {c::any});
    rafter::radial_gradient(
        given.stream(), lengths, {.centres = at, .gamma = gamma, .cutoff = cutoff},
        given.array<const float>("out_gradient", out_gradient, {distances->shape[0], centres->shape[0]}),
        given.array<float>("gradient", gradient, {distances->shape[0]}));
  });
}

rafter_status rafter_edge_vectors(const rafter_stream* stream, const rafter_tensor* positions,
                                  const rafter_tensor* index, const rafter_tensor* vectors,
                                  const rafter_tensor* distances, const rafter_tensor* units) noexcept {
  return c::guarded(c::Function("rafter_edge_vectors"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    const auto atoms = given.array<const float>("positions", positions, {c::any, 3});
    const auto ends = given.array<const std::int64_t>("index", index, {2, c::any});
    const std::int64_t n = index->shape[1];
    rafter::edge_vectors(given.stream(), atoms, ends,
                         {.vectors = given.array<float>("vectors", vectors, {n, 3}),
                          .distances = given.array<float>("distances", distances, {n}),
                          .units = given.array<float>("units", units, {n, 3})});
  });
}

rafter_status rafter_edge_plan_create(const rafter_stream* stream, const rafter_tensor* index, int64_t n_atoms,
                                      rafter_edge_plan** plan) noexcept {
  return c::created(c::Function("rafter_edge_plan_create", "EdgePlan"), "plan", plan, [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    return rafter::EdgePlan(given.stream(), given.array<const std::int64_t>("index", index, {2, c::any}), n_atoms);
  });
}

void rafter_edge_plan_destroy(rafter_edge_plan* plan) noexcept { delete plan; }

rafter_status rafter_edge_gradient(const rafter_stream* stream, const rafter_tensor* positions,
                                   const rafter_edge_plan* plan, const rafter_tensor* vectors_gradient,
                                   const rafter_tensor* distances_gradient, const rafter_tensor* units_gradient,
                                   const rafter_tensor* gradient) noexcept {
  return c::guarded(c::Function("rafter_edge_gradient"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    const rafter::EdgePlan& edges = c::required(function, "plan", plan).plan;
    const std::int64_t n = edges.n_edges(), n_atoms = edges.n_atoms();
    rafter::edge_gradient(given.stream(), given.array<const float>("positions", positions, {n_atoms, 3}), edges,
                          {.vectors = given.array<const float>("vectors_gradient", vectors_gradient, {n, 3}),
                           .distances = given.array<const float>("distances_gradient", distances_gradient, {n}),
                           .units = given.array<const float>("units_gradient", units_gradient, {n, 3})},
                          given.array<float>("gradient", gradient, {n_atoms, 3}));
  });
}
