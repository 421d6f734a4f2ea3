// plain: one index at a time in one thread.
// A core looks about fifty instructions ahead, so only a handful of misses are in flight at once; each waits for a
// cache line of which one element is used.
#include "gather/cpu/gather_range.hpp"

namespace rafter::gather_ladder::cpu {

extern const GatherRung plain{[]<class T, class I>(const Stream&, GatherArgs<T, I> args) {
  const BadIndices bad = gather_range(args.table, args.indices.data(), args.out.data(), args.out_of_range.kind(), 0,
                                      std::ssize(args.indices));
  if (args.out_of_range.kind() == OutOfRange::Kind::report) *args.out_of_range.bad() = bad;
}};

}  // namespace rafter::gather_ladder::cpu
