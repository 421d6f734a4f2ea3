// threads: one contiguous part per thread.
// Limited by memory bandwidth: two arrays in, one out.
#include "library/core/parts.hpp"
#include "workload_name_rung.hpp"

namespace rafter::workload_name_ladder::cpu {

extern const WorkloadNameRung threads{[]<class T>(const Stream& stream, WorkloadNameArgs<T> args) {
  constexpr std::int64_t min_part_elements = 16384;  // smaller parts do not amortise waking a thread
  const std::int64_t n = std::ssize(args.out);
  const T* a = args.a.data();
  const T* b = args.b.data();
  T* out = args.out.data();
  core::for_parts(core::threads_for(stream, n, min_part_elements), n, [=](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) out[i] = args.factor * a[i] + b[i];
  });
}};

}  // namespace rafter::workload_name_ladder::cpu
