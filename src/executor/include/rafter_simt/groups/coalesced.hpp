// cooperative_groups: the active lanes, and groups split by a predicate or a label.
#pragma once

#include "rafter_simt/groups/tile.hpp"

namespace cooperative_groups {

/// Any set of lanes of one warp; ranks number the set's lanes in ascending order.
class coalesced_group : public thread_group {
 public:
  explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : thread_group(Kind::lanes, mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

  void sync() const { __syncwarp(mask()); }
  unsigned int size() const { return rafter_simt::n_lanes(mask()); }
  unsigned int num_threads() const { return size(); }
  unsigned int thread_rank() const { return rafter_simt::lane_rank(mask(), rafter_simt::current_lane()); }
  unsigned int meta_group_rank() const { return meta_rank_; }
  unsigned int meta_group_size() const { return meta_size_; }

  template <class T>
  T shfl(T value, unsigned int rank) const {
    return from_rank(value, rank % size());
  }
  template <class T>
  T shfl_up(T value, unsigned int delta) const {
    const unsigned rank = thread_rank();
    return from_rank(value, delta <= rank ? rank - delta : rank);
  }
  template <class T>
  T shfl_down(T value, unsigned int delta) const {
    const unsigned rank = thread_rank();
    return from_rank(value, delta < size() - rank ? rank + delta : rank);
  }

  int any(int predicate) const { return __any_sync(mask(), predicate); }
  int all(int predicate) const { return __all_sync(mask(), predicate); }
  unsigned int ballot(int predicate) const { return to_ranks(__ballot_sync(mask(), predicate)); }
  template <class T>
  unsigned int match_any(T value) const {
    return to_ranks(__match_any_sync(mask(), value));
  }
  template <class T>
  unsigned int match_all(T value, int& all_equal) const {
    return to_ranks(__match_all_sync(mask(), value, &all_equal));
  }

  unsigned int lanes() const { return mask(); }

 private:
  template <class T>
  T from_rank(const T& value, unsigned rank) const {
    const int lane = static_cast<int>(rafter_simt::lane_of_rank(mask(), rank));
    return rafter_simt::shuffle_any(rafter_simt::WarpOp::shuffle_index, mask(), value, lane, 32);
  }
  unsigned to_ranks(unsigned lanes) const { return rafter_simt::lanes_to_ranks(lanes, mask()); }

  unsigned meta_rank_;
  unsigned meta_size_;
};

inline coalesced_group coalesced_threads(int line = __builtin_LINE()) {
  return coalesced_group(rafter_simt_active_mask(line));
}

inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned int n_threads) {
  const unsigned tile = parent.thread_rank() / n_threads;
  unsigned mask = 0;
  for (unsigned rank = tile * n_threads; rank < parent.size() && rank < (tile + 1) * n_threads; ++rank)
    mask |= 1u << rafter_simt::lane_of_rank(parent.lanes(), rank);
  return coalesced_group(mask, tile, (parent.size() + n_threads - 1) / n_threads);
}
template <unsigned int Size>
coalesced_group tiled_partition(const coalesced_group& parent) {
  static_assert(Size <= 32, "rafter: tiles of more than 32 threads are not supported");
  return tiled_partition(parent, Size);
}

template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned lanes = group.lanes();
  const unsigned set = __ballot_sync(lanes, predicate) & lanes;
  if (set == 0 || set == lanes) return coalesced_group(lanes);
  return coalesced_group(predicate ? set : lanes & ~set, predicate, 2);
}

template <class Group, class Label>
coalesced_group labeled_partition(const Group& group, Label label) {
  static_assert(std::is_integral<Label>::value || std::is_pointer<Label>::value,
                "a label must be an integer or a pointer");
  const unsigned mine = __match_any_sync(group.lanes(), label);
  const unsigned leader = static_cast<unsigned>(__builtin_ctz(mine));
  const unsigned leaders = __ballot_sync(group.lanes(), leader == rafter_simt::current_lane());
  return coalesced_group(mine, rafter_simt::lane_rank(leaders, leader), rafter_simt::n_lanes(leaders));
}

/// Calls `function` in one thread of the group.
template <class Group, class Function, class... Args>
void invoke_one(const Group& group, Function&& function, Args&&... args) {
  if (group.thread_rank() == 0) static_cast<Function&&>(function)(static_cast<Args&&>(args)...);
}
template <class Group, class Function, class... Args>
auto invoke_one_broadcast(const Group& group, Function&& function, Args&&... args) {
  std::decay_t<decltype(function(static_cast<Args&&>(args)...))> result{};
  if (group.thread_rank() == 0) result = static_cast<Function&&>(function)(static_cast<Args&&>(args)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
