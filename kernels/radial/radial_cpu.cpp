// threads: one contiguous part of the edges per thread, in vectors, written past the caches where they could not hold
// it. Bound by memory bandwidth: a row of functions out, or in, for each distance.
#include <algorithm>

#include "radial/radial_rung.hpp"
#include "radial/radial_simd.hpp"

namespace rafter::radial_ladder::cpu {

namespace {

constexpr std::int64_t min_part_values = 16384;  // less does not pay for waking a thread

/// Calls f(part, first edge) for parts of the edges that together are all of them, a thread each.
template <class F>
void for_parts(const Stream& stream, const RadialInput& in, const F& f) {
  const std::int64_t worth = in.n_values() / min_part_values;
  const int n_parts = static_cast<int>(std::clamp<std::int64_t>(worth, 1, stream.n_threads()));
#pragma omp parallel for schedule(static) num_threads(n_parts)
  for (int part = 0; part < n_parts; ++part) {
    const std::int64_t first = in.n_edges * part / n_parts, last = in.n_edges * (part + 1) / n_parts;
    RadialInput own = in;
    own.distances += first;
    own.n_edges = last - first;
    f(own, first);
  }
}

void run_threads(const Stream& stream, const RadialArgs& args) {
  const core::Stores stores = core::stores_for(args.in.n_values() * std::int64_t{sizeof(float)});
  for_parts(stream, args.in, [&](const RadialInput& part, std::int64_t first) {
    radial_loops().forward(part, args.out + first * args.in.n_centres, stores);
  });
}

void run_threads(const Stream& stream, const RadialGradientArgs& args) {
  for_parts(stream, args.in, [&](const RadialInput& part, std::int64_t first) {
    radial_loops().backward(part, args.out_gradient + first * args.in.n_centres, args.gradient + first);
  });
}

}  // namespace

extern const RadialRung threads{[](const Stream& stream, const auto& args) { run_threads(stream, args); }};

}  // namespace rafter::radial_ladder::cpu
