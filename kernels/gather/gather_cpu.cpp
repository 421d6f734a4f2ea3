// prefetching: every element is asked for 64 indices before it is read, and eight indices are checked at once.
// Asking does not hold up what comes after it, so more cache lines are on their way than a core finds by itself. Bound
// by the caches' line bandwidth: 64 bytes move for every element of a table that no cache near the core holds.
#include "gather/gather_range.hpp"

namespace rafter::gather_ladder::cpu {

namespace {

constexpr int ahead = 64;  // Neoverse-V1, 2^24 from 2^22: 28.3 ms on two threads; 28.6 at 32 and 128, 30.1 at 512
constexpr int group = 8;   // indices checked by one branch

/// Asks for an element, into the level-2 cache: 28.3 ms, against 31 to 34 into the first level. Any index may be asked
/// for, its address is never read.
template <class T, class I>
void ask_for(const T* table, I index) {
  const auto offset = static_cast<std::uintptr_t>(index) * sizeof(T);
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(table) + offset), 0, 2);
}

/// Whether all of a group lead into the table.
template <class I>
bool all_in_table(const I* indices, std::int64_t n_table) {
  bool good = true;
  for (int k = 0; k < group; ++k) good &= in_table(indices[k], n_table);
  return good;
}

/// Where there are bad ones: their count adds up, the first of them stays the first.
void add(BadIndices& bad, const BadIndices& later) {
  if (bad.count == 0) bad.first = later.first;
  bad.count += later.count;
}

}  // namespace

template <class T, class I>
void prefetching(const Stream& stream, std::span<const T> table, std::span<const I> indices, std::span<T> out,
                 Bounds bounds) {
  const std::int64_t n = std::ssize(indices);
  const std::int64_t n_table = std::ssize(table);
  const bool trusted = bounds.kind() == Bounds::Kind::trust;
  const auto gather = [&](std::int64_t first, std::int64_t last) {
    BadIndices bad{0, -1};
    std::int64_t i = first;
    for (; i + group <= last && i + group + ahead <= n; i += group) {
      const I* index = indices.data() + i;
      for (int k = 0; k < group; ++k) ask_for(table.data(), index[ahead + k]);
      if (trusted || all_in_table(index, n_table)) {
        for (int k = 0; k < group; ++k) out.data()[i + k] = table.data()[index[k]];
      } else {
        add(bad, gather_range(table, indices.data(), out.data(), bounds.kind(), i, i + group));
      }
    }
    add(bad, gather_range(table, indices.data(), out.data(), bounds.kind(), i, last));
    return bad;
  };
  const BadIndices bad = gather_in_parts(stream.n_threads(), n, gather);
  if (bounds.kind() == Bounds::Kind::report) *bounds.bad() = bad;
}

RAFTER_GATHER_RUNG(prefetching);

}  // namespace rafter::gather_ladder::cpu
