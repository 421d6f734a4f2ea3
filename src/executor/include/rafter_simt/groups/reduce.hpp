// cooperative_groups: reductions and scans over tiles and coalesced groups, based on one exchange of all values.
#pragma once

#include "rafter_simt/groups/coalesced.hpp"
#include "rafter_simt/groups/tile.hpp"

namespace cooperative_groups {

// clang-format off
template <class T> struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { T operator()(T a, T b) const { return a ^ b; } };
// clang-format on

namespace details {

/// The values of a group's lanes, indexed by rank.
template <class T>
class RankValues {
 public:
  template <class Group>
  RankValues(const Group& group, const T& mine) : values_(group.lanes(), mine), mask_(group.lanes()) {}
  T& operator[](unsigned rank) { return values_[rafter_simt::lane_of_rank(mask_, rank)]; }

 private:
  rafter_simt::LaneValues<T> values_;
  unsigned mask_;
};

/// Combines the values: for tiles like the hardware's butterfly, for other groups in rank order.
template <class T, class Group, class Op>
T reduce_ranks(const Group& group, const T& value, Op&& op) {
  RankValues<T> values(group, value);
  const unsigned n = static_cast<unsigned>(group.size());
  if ((n & (n - 1)) == 0) {
    for (unsigned half = n / 2; half > 0; half /= 2)
      for (unsigned rank = 0; rank < half; ++rank) values[rank] = op(values[rank], values[rank + half]);
    return values[0];
  }
  T result = values[0];
  for (unsigned rank = 1; rank < n; ++rank) result = op(result, values[rank]);
  return result;
}

template <class Group>
constexpr bool has_warps = decltype(is_warp_tile(std::declval<const Group&>()))::value;

/// Combines a tile of warps: within each warp, then the results of the warps.
template <class T, class Group, class Op>
T reduce_warps(const Group& group, const T& value, Op&& op) {
  T result{};
  bool is_first = true;
  group.for_warps(reduce_ranks<T>(tiled_partition<32>(this_thread_block()), value, op), group.n_warps(),
                  [&](const T& of_warp) {
                    result = is_first ? of_warp : op(result, of_warp);
                    is_first = false;
                  });
  return result;
}

/// Combines the values of the warps before the caller's with `in_warp`, the result of a scan within the warp, unless
/// the caller is the first that the scan excludes. `total` is the warp's sum.
template <class T, class Group, class Op>
T scan_warps(const Group& group, const T& in_warp, const T& total, bool has_in_warp, Op&& op) {
  T before{};
  bool has_before = false;
  group.for_warps(total, group.warp(), [&](const T& of_warp) {
    before = has_before ? op(before, of_warp) : of_warp;
    has_before = true;
  });
  return !has_before ? in_warp : has_in_warp ? op(before, in_warp) : before;
}

}  // namespace details

template <class Group, class T, class Op>
std::decay_t<T> reduce(const Group& group, T&& value, Op&& op) {
  if constexpr (details::has_warps<Group>)
    return details::reduce_warps<std::decay_t<T>>(group, value, op);
  else
    return details::reduce_ranks<std::decay_t<T>>(group, value, op);
}

template <class Group, class T, class Op>
std::decay_t<T> inclusive_scan(const Group& group, T&& value, Op&& op) {
  using Value = std::decay_t<T>;
  if constexpr (details::has_warps<Group>) {
    const auto warp = tiled_partition<32>(this_thread_block());
    const Value in_warp = inclusive_scan(warp, value, op);
    return details::scan_warps<Value>(group, in_warp, warp.shfl(in_warp, 31), true, op);
  } else {
    details::RankValues<Value> values(group, value);
    Value result = values[0];
    for (unsigned rank = 1; rank <= group.thread_rank(); ++rank) result = op(result, values[rank]);
    return result;
  }
}
template <class Group, class T>
std::decay_t<T> inclusive_scan(const Group& group, T&& value) {
  return inclusive_scan(group, value, plus<std::decay_t<T>>());
}

/// Scans exclusively; rank 0 gets a value-initialised result.
template <class Group, class T, class Op>
std::decay_t<T> exclusive_scan(const Group& group, T&& value, Op&& op) {
  using Value = std::decay_t<T>;
  if constexpr (details::has_warps<Group>) {
    const auto warp = tiled_partition<32>(this_thread_block());
    const Value in_warp = exclusive_scan(warp, value, op);
    return details::scan_warps<Value>(group, in_warp, details::reduce_ranks<Value>(warp, value, op),
                                      warp.thread_rank() > 0, op);
  } else {
    details::RankValues<Value> values(group, value);
    if (group.thread_rank() == 0) return {};
    Value result = values[0];
    for (unsigned rank = 1; rank < group.thread_rank(); ++rank) result = op(result, values[rank]);
    return result;
  }
}
template <class Group, class T>
std::decay_t<T> exclusive_scan(const Group& group, T&& value) {
  return exclusive_scan(group, value, plus<std::decay_t<T>>());
}

}  // namespace cooperative_groups
