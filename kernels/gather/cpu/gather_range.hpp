// Shared by all CPU gathers: gathering a range of indices one by one, and one range per thread.
#pragma once

#include <algorithm>
#include <mutex>

#include "gather/gather_rung.hpp"
#include "library/core/parts.hpp"

namespace rafter::gather_ladder::cpu {

/// Gathers indices [first, last) one by one; returns the number of bad ones and the first of them.
template <class T, class I>
BadIndices gather_range(std::span<const T> table, const I* indices, T* out, OutOfRange::Kind kind, std::int64_t first,
                        std::int64_t last) {
  const std::int64_t n_table = std::ssize(table);
  BadIndices bad{0, -1};
  for (std::int64_t i = first; i < last; ++i) {
    const I index = indices[i];
    if (in_table(index, n_table)) {
      out[i] = table.data()[index];
      continue;
    }
    switch (kind) {
      case OutOfRange::Kind::report:
        if (bad.count++ == 0) bad.first = i;
        break;
      case OutOfRange::Kind::clamp: out[i] = table.data()[index < 0 ? 0 : n_table - 1]; break;
      case OutOfRange::Kind::zero: out[i] = T{0}; break;
      case OutOfRange::Kind::trust: break;  // cannot happen
    }
  }
  return bad;
}

/// Calls `gather(first, last)` for one contiguous part of [0, n) per thread; returns the bad indices of all parts.
template <class Gather>
BadIndices gather_in_parts(int n_threads, std::int64_t n, const Gather& gather) {
  constexpr std::int64_t worth_a_thread = 32768;
  const std::int64_t n_parts = std::clamp<std::int64_t>(n / worth_a_thread, 1, n_threads);
  if (n_parts == 1) return gather(std::int64_t{0}, n);
  std::mutex mutex;
  BadIndices all{0, -1};
  core::for_parts(static_cast<int>(n_parts), n, [&](std::int64_t first, std::int64_t last) {
    const BadIndices bad = gather(first, last);
    if (bad.count == 0) return;
    const std::lock_guard lock(mutex);
    all = {all.count + bad.count, all.count == 0 ? bad.first : std::min(all.first, bad.first)};
  });
  return all;
}

}  // namespace rafter::gather_ladder::cpu
