// cooperative_groups::memcpy_async: each call is one group of copies per thread; a wait also synchronises the group.
#pragma once

#include "rafter_simt/async/copy_async.hpp"
#include "rafter_simt/groups/coalesced.hpp"

namespace cooperative_groups {

/// Starts a copy of `bytes`, a number or an aligned_size_t.
template <class Group, class T, class Size>
__forceinline__ void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
  rafter_simt::start_copy(group, (void*)to, from, static_cast<std::size_t>(bytes));
  rafter_simt_commit_group(rafter_simt::GroupKind::copy_async);
}
template <class Group, class T, class ToCount, class FromCount>
__forceinline__ void memcpy_async(const Group& group, T* to, const ToCount& to_count, const T* from,
                                  const FromCount& from_count) {
  const std::size_t n_to = static_cast<std::size_t>(to_count), n_from = static_cast<std::size_t>(from_count);
  memcpy_async(group, to, from, (n_to < n_from ? n_to : n_from) * sizeof(T));
}

template <unsigned int n_later, class Group>
__forceinline__ void wait_prior(const Group& group) {
  rafter_simt_wait_group(rafter_simt::GroupKind::copy_async, n_later, 0);
  group.sync();
}
template <class Group>
__forceinline__ void wait(const Group& group) {
  wait_prior<0>(group);
}

}  // namespace cooperative_groups
