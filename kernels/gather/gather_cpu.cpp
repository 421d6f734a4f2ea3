// prefetching: out[i] = table[indices[i]]. Lines of the table are prefetched long before they are used, and a group of
// indices is checked at once.
// Bound by the caches' line bandwidth: 64 bytes move for every element of a table larger than the core's caches.
// Outputs are written with streaming stores where that saves reading them.
#include "gather/cpu/gather_range.hpp"
#include "gather/gather_simd.hpp"

namespace rafter::gather_ladder::cpu {

namespace {

/// Adds the bad indices of a later range: the counts add up, the first stays the first.
void add(BadIndices& bad, const BadIndices& later) {
  if (bad.count == 0) bad.first = later.first;
  bad.count += later.count;
}

/// Returns the index of the first element at or after `first` that starts a 64-byte line.
template <class T>
std::int64_t line_from(const T* out, std::int64_t first) {
  const std::uintptr_t behind = -reinterpret_cast<std::uintptr_t>(out + first) % 64;
  return first + static_cast<std::int64_t>(behind / sizeof(T));
}

}  // namespace

extern const GatherRung prefetching{[]<class T, class I>(const Stream& stream, GatherArgs<T, I> args) {
  const GatherLoops& loops = gather_loops();
  const GatherLoops::Loop loop = loops.of(sizeof(T), sizeof(I));
  const std::int64_t n = std::ssize(args.indices);
  const LoopArgs loop_args{.table = args.table.data(),
                           .n_table = std::ssize(args.table),
                           .indices = args.indices.data(),
                           .n = n,
                           .out = args.out.data(),
                           .trusted = args.out_of_range.kind() == OutOfRange::Kind::trust,
                           .stores = core::stores_for(n * std::int64_t{sizeof(T) + sizeof(I)})};
  const auto gather = [&](std::int64_t first, std::int64_t last) {
    BadIndices bad{0, -1};
    const auto one_by_one = [&](std::int64_t end) {
      add(bad, gather_range(args.table, args.indices.data(), args.out.data(), args.out_of_range.kind(), first,
                            std::min(end, last)));
      first = std::min(end, last);
    };
    one_by_one(line_from(args.out.data(), first));
    while (first < last) {
      first = loop(loop_args, first, last);
      one_by_one(first + loops.group);  // a group with a bad index, or the rest
    }
    core::streaming_fence();
    return bad;
  };
  const BadIndices bad = gather_in_parts(stream.n_threads(), n, gather);
  if (args.out_of_range.kind() == OutOfRange::Kind::report) *args.out_of_range.bad() = bad;
}};

}  // namespace rafter::gather_ladder::cpu
