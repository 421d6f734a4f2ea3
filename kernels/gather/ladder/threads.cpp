// threads: one contiguous part of the indices per thread.
// All cores have misses in flight at once, but each only as many as its out-of-order window finds.
#include "gather/cpu/gather_range.hpp"

namespace rafter::gather_ladder::cpu {

extern const GatherRung threads{[]<class T, class I>(const Stream& stream, GatherArgs<T, I> args) {
  const BadIndices bad = gather_in_parts(stream.n_threads(), std::ssize(args.indices), [&](auto first, auto last) {
    return gather_range(args.table, args.indices.data(), args.out.data(), args.out_of_range.kind(), first, last);
  });
  if (args.out_of_range.kind() == OutOfRange::Kind::report) *args.out_of_range.bad() = bad;
}};

}  // namespace rafter::gather_ladder::cpu
