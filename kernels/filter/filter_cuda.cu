// look_back, tile_atomic: stream compaction in one pass over tiles of 36 KiB. A tile gets its output offset by
// decoupled look-back over the counts of earlier tiles or, where the order is free, by one atomic addition. Bound by
// DRAM: every byte is read once, every kept byte written once. filter_tiles.cuh has the kernel; filter_outputs.cuh has
// what it writes: the kept elements, or those of columns at their indices.
#include "filter/cuda/filter_tiles.cuh"
#include "filter/filter_rung.hpp"
#include "filter/filter_tunables.hpp"
#include "library/core/cuda/policy.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::filter_ladder::RAFTER_BACKEND {

template <class T, class What>
void filter_by_size(const Stream& stream, const FilterArgs<T, What>& args, FilterOrder order) {
  const auto out = kept_output<T>(args.out);
  const FilterView<T, std::remove_const_t<decltype(out)>> view = {
      .in = {args.in.data(), std::ssize(args.in)},
      .range = range_of(args.keep),
      .out = out,
      .capacity = std::ssize(args.out),
      .count = reinterpret_cast<Count*>(args.count),
      .order = order,
      .pass = {core::tickets(stream), 0},
  };
  const std::int64_t n_tiles = view.in.n_tiles(core::Tile<FilterPolicy, T>::elements);
  const bool is_small = n_tiles <= stream.n_multiprocessors() / core::tuned(small_sms_per_tile);
  const bool fits = core::shared_bytes_per_sm() >= FilterPolicy::shared_bytes_per_sm;
  if (is_small) return launch_filter<SmallFilterPolicy>(stream, view);
  fits ? launch_filter<FilterPolicy>(stream, view) : launch_filter<NarrowFilterPolicy>(stream, view);
}

extern const FilterRung tile_atomic{[]<class T, class What>(const Stream& stream, FilterArgs<T, What> args) {
  refuse_order(args.order);
  core::clear(stream, args.count, sizeof *args.count);
  filter_by_size(stream, args, FilterOrder::any);
}};

extern const FilterRung look_back{[]<class T, class What>(const Stream& stream, FilterArgs<T, What> args) {
  if (args.in.empty()) return core::clear(stream, args.count, sizeof *args.count);
  filter_by_size(stream, args, FilterOrder::preserved);
}};

}  // namespace rafter::filter_ladder::RAFTER_BACKEND
