// std_transform: the parallel transform of the C++ standard library (over TBB in libstdc++).
#ifdef RAFTER_WITH_TBB
#include <algorithm>
#include <execution>

#include "gather/gather_rung.hpp"
#include "library/core/cpu/affinity.hpp"
#include "rafter/error.hpp"

namespace rafter::gather_ladder::cpu {

extern const GatherRung std_transform{[]<class T, class I>(const Stream&, GatherArgs<T, I> args) {
  const core::AllCores unpinned;  // TBB counts the cores its first caller may use, and its threads inherit them
  const auto write = [&](const auto& element) {
    std::transform(std::execution::par_unseq, args.indices.begin(), args.indices.end(), args.out.begin(), element);
  };
  const T* elements = args.table.data();
  const std::int64_t n = std::ssize(args.table);
  switch (args.out_of_range.kind()) {
    case OutOfRange::Kind::trust: return write([=](I index) { return elements[index]; });
    case OutOfRange::Kind::zero: return write([=](I index) { return in_table(index, n) ? elements[index] : T{0}; });
    case OutOfRange::Kind::clamp:
      return write([=](I index) { return elements[std::clamp<std::int64_t>(index, 0, n - 1)]; });
    case OutOfRange::Kind::report: break;
  }
  throw Error(ErrorCode::unsupported, "std::transform cannot report bad indices; measure it with bounds=trust");
}};

}  // namespace rafter::gather_ladder::cpu
#endif
