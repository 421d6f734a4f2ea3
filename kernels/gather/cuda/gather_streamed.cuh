// The policy and the launches of the streaming gather, for tables of any size.
#pragma once

#include <algorithm>

#include "gather/cuda/gather_tiles.cuh"

namespace rafter::gather_ladder::RAFTER_BACKEND {

struct GatherPolicy {
  static constexpr int threads = 256;
  static constexpr int indices = 8;        // per thread, all in flight
  static constexpr int rounds = 1;         // tiles per block
  static constexpr int blocks_per_sm = 5;  // 48 registers per thread; with 6 blocks the widest kernels spill
  static constexpr bool valid() { return threads % 32 == 0 && threads * blocks_per_sm <= 2048 && indices % 4 == 0; }

  /// Loads through the L1, which holds small tables, and costs nothing if the table is large (NOTES.md).
  template <class T>
  static __device__ T load(const T* at) {
    return __ldg(at);
  }
};
static_assert(GatherPolicy::valid());

template <class Check, class T, class I>
void launch_streamed_with(const Stream& stream, const GatherView<T, I>& args, BadIndices* bad) {
  using Policy = GatherPolicy;
  constexpr int tile_groups = Policy::threads * Policy::indices / core::Vector<I>::size;
  const GatherLayout layout = layout_of(args);
  const std::int64_t n_blocks =
      std::max(ceil_div(layout.body, std::int64_t{tile_groups} * Policy::rounds), std::int64_t{1});
  core::launch(gather_streamed<Policy, Check, T, I>, n_blocks, Policy::threads, 0, stream, args, layout,
               report_args(stream, bad));
}

template <class T, class I>
void launch_streamed(const Stream& stream, const GatherView<T, I>& args, OutOfRange out_of_range) {
  if (args.n == 0 && out_of_range.kind() != OutOfRange::Kind::report) return;
  switch (out_of_range.kind()) {
    case OutOfRange::Kind::report: return launch_streamed_with<Report>(stream, args, out_of_range.bad());
    case OutOfRange::Kind::clamp: return launch_streamed_with<Clamp>(stream, args, nullptr);
    case OutOfRange::Kind::zero: return launch_streamed_with<Zero>(stream, args, nullptr);
    case OutOfRange::Kind::trust: return launch_streamed_with<Trust>(stream, args, nullptr);
  }
}

}  // namespace rafter::gather_ladder::RAFTER_BACKEND
