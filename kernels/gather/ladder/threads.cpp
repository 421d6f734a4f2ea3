// threads: one contiguous part of the indices per thread.
// All cores have their misses under way at once; each still only as many as it finds by looking ahead.
#include "gather/gather_range.hpp"

namespace rafter::gather_ladder::cpu {

template <class T, class I>
void threads(const Stream& stream, std::span<const T> table, std::span<const I> indices, std::span<T> out,
             Bounds bounds) {
  const BadIndices bad = gather_in_parts(stream.n_threads(), std::ssize(indices), [&](auto first, auto last) {
    return gather_range(table, indices.data(), out.data(), bounds.kind(), first, last);
  });
  if (bounds.kind() == Bounds::Kind::report) *bounds.bad() = bad;
}

RAFTER_GATHER_RUNG(threads);

}  // namespace rafter::gather_ladder::cpu
