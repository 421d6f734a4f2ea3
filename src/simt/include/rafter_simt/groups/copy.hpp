// cooperative_groups::memcpy_async: the group copies at once, and the wait is the group's barrier.
#pragma once

#include "rafter_simt/groups/coalesced.hpp"

namespace cooperative_groups {

namespace details {

template <class Word, class Group>
__forceinline__ void copy_words(const Group& group, void* to, const void* from, std::size_t bytes) {
  const std::size_t n_words = bytes / sizeof(Word);
  for (std::size_t i = group.thread_rank(); i < n_words; i += group.size())
    static_cast<Word*>(to)[i] = static_cast<const Word*>(from)[i];
}

template <class Group>
__forceinline__ void copy_together(const Group& group, void* to, const void* from, std::size_t bytes) {
  const std::size_t odd = reinterpret_cast<std::size_t>(to) | reinterpret_cast<std::size_t>(from) | bytes;
  if (odd % 16 == 0) return copy_words<uint4>(group, to, from, bytes);
  if (odd % 8 == 0) return copy_words<std::uint64_t>(group, to, from, bytes);
  if (odd % 4 == 0) return copy_words<std::uint32_t>(group, to, from, bytes);
  copy_words<unsigned char>(group, to, from, bytes);
}

}  // namespace details

/// `bytes` is a number or an aligned_size_t.
template <class Group, class T, class Size>
__forceinline__ void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
  details::copy_together(group, to, from, static_cast<std::size_t>(bytes));
}
template <class Group, class T, class ToCount, class FromCount>
__forceinline__ void memcpy_async(const Group& group, T* to, const ToCount& to_count, const T* from,
                                  const FromCount& from_count) {
  const std::size_t n_to = static_cast<std::size_t>(to_count), n_from = static_cast<std::size_t>(from_count);
  details::copy_together(group, to, from, (n_to < n_from ? n_to : n_from) * sizeof(T));
}

template <class Group>
void wait(const Group& group) {
  group.sync();
}
template <unsigned int Stage, class Group>
void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
