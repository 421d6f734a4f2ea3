// threads: one contiguous part of the edges per thread, vectorised, with streaming stores where the output exceeds the
// caches. Bound by memory bandwidth: a row of functions is written, or read, for each distance.
#include <algorithm>

#include "library/core/parts.hpp"
#include "radial/radial_rung.hpp"
#include "radial/radial_simd.hpp"

namespace rafter::radial_ladder::cpu {

namespace {

constexpr std::int64_t min_part_values = 16384;  // a smaller part costs less than waking a thread (heuristic)

/// Divides the edges into parts, one per thread, and calls f(part, first edge) for each.
template <class F>
void for_parts(const Stream& stream, const RadialInput& in, const F& f) {
  const int n_threads = core::threads_for(stream, in.n_values(), min_part_values);
  core::for_parts(n_threads, in.n_edges, [&](std::int64_t first, std::int64_t last) {
    RadialInput own = in;
    own.distances += first;
    own.n_edges = last - first;
    f(own, first);
  });
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
