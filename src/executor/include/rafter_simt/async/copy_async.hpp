// Copies from global to shared memory that a thread starts and waits for later, in pieces of 4, 8 or 16 bytes like
// cp.async. Copies that cp.async does not support (other memory, odd sizes) are done synchronously, as in libcu++.
#pragma once

#include <cstddef>

#include "rafter_simt/async/async.hpp"
#include "rafter_simt/builtins.hpp"

namespace cuda {

/// A number of bytes, and the alignment of the addresses and the size.
template <::std::size_t alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = alignment;
  ::std::size_t value;
  explicit constexpr aligned_size_t(::std::size_t bytes) : value(bytes) {}
  constexpr operator ::std::size_t() const { return value; }
};

}  // namespace cuda

namespace rafter_simt {

/// A group that consists of the calling thread.
struct ThisThread {
  static constexpr unsigned thread_rank() { return 0; }
  static constexpr unsigned size() { return 1; }
};

template <class Word, class Group>
__attribute__((always_inline)) inline void copy_now(const Group& group, void* to, const void* from, std::size_t bytes) {
  for (std::size_t i = group.thread_rank(); i < bytes / sizeof(Word); i += group.size())
    static_cast<Word*>(to)[i] = static_cast<const Word*>(from)[i];
}

/// Starts this thread's part of a group's copy. Returns true if the copy is pending, false if it is complete.
template <class Group>
__attribute__((always_inline)) inline bool start_copy(const Group& group, void* to, const void* from,
                                                      std::size_t bytes) {
  const std::size_t odd = reinterpret_cast<std::size_t>(to) | reinterpret_cast<std::size_t>(from) | bytes;
  const std::size_t piece = odd % 16 == 0 ? 16 : odd % 8 == 0 ? 8 : odd % 4 == 0 ? 4 : 1;
  if (piece == 1 || !rafter_simt_is_shared(to) || rafter_simt_is_shared(from)) {
    if (piece >= 4) {
      copy_now<unsigned>(group, to, from, bytes);
    } else {
      copy_now<unsigned char>(group, to, from, bytes);
    }
    return false;
  }
  for (std::size_t at = group.thread_rank() * piece; at < bytes; at += group.size() * piece)
    rafter_simt_copy_async(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, static_cast<int>(piece),
                           static_cast<int>(piece));
  return true;
}

}  // namespace rafter_simt
