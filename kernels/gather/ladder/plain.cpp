// plain: one index after the other, on one thread.
// A core looks some fifty instructions ahead, so a handful of misses are under way at once; each waits for a cache line
// of which one element is used.
#include "gather/gather_range.hpp"

namespace rafter::gather_ladder::cpu {

template <class T, class I>
void plain(const Stream&, std::span<const T> table, std::span<const I> indices, std::span<T> out, Bounds bounds) {
  const BadIndices bad = gather_range(table, indices.data(), out.data(), bounds.kind(), 0, std::ssize(indices));
  if (bounds.kind() == Bounds::Kind::report) *bounds.bad() = bad;
}

RAFTER_GATHER_RUNG(plain);

}  // namespace rafter::gather_ladder::cpu
