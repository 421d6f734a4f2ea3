// look_back, tile_atomic: one pass over tiles of 36 KiB. A tile finds its place in the output by looking back at how
// many the tiles before it keep; or, where the order does not matter, by one atomic addition. Bound by DRAM: every byte
// is read once, every kept one written once; filter_tiles.cuh is the kernel.
#include "filter/filter_rung.hpp"
#include "filter/filter_tiles.cuh"

namespace rafter::filter_ladder::RAFTER_BACKEND {

template <class T>
void filter_by_size(const Stream& stream, std::span<const T> in, const Predicate<T>& keep, std::span<T> out,
                    std::int64_t* count, Order order) {
  const FilterArgs<T> args = {
      .in = {in.data(), std::ssize(in)},
      .range = range_of(keep),
      .out = out.data(),
      .capacity = std::ssize(out),
      .count = reinterpret_cast<Count*>(count),
      .order = order,
      .pass = {stream.tickets(), 0},
  };
  const std::int64_t n_tiles = args.in.n_tiles(core::Tile<FilterPolicy, T>::elements);
  const bool is_small = n_tiles <= stream.n_multiprocessors() / 2;
  const bool has_room = core::shared_bytes_per_sm() >= FilterPolicy::shared_bytes_per_sm;
  if (is_small) return launch_filter<SmallFilterPolicy>(stream, args);
  has_room ? launch_filter<FilterPolicy>(stream, args) : launch_filter<NarrowFilterPolicy>(stream, args);
}

template <class T>
void tile_atomic(const Stream& stream, std::span<const T> in, Predicate<T> keep, std::span<T> out, std::int64_t* count,
                 Order order) {
  refuse_order(order);
  core::clear(stream, count, sizeof *count);
  filter_by_size(stream, in, keep, out, count, Order::any);
}

template <class T>
void look_back(const Stream& stream, std::span<const T> in, Predicate<T> keep, std::span<T> out, std::int64_t* count,
               Order) {
  if (in.empty()) return core::clear(stream, count, sizeof *count);
  filter_by_size(stream, in, keep, out, count, Order::kept);
}

RAFTER_FILTER_RUNG(tile_atomic);
RAFTER_FILTER_RUNG(look_back);

}  // namespace rafter::filter_ladder::RAFTER_BACKEND
