// std_scan: the parallel scans of the C++ standard library (over TBB in libstdc++).
#ifdef RAFTER_WITH_TBB
#include <execution>
#include <numeric>

#include "library/core/cpu/affinity.hpp"
#include "scan/scan_rung.hpp"

namespace rafter::scan_ladder::cpu {

extern const ScanRung std_scan{[]<class T>(const Stream&, ScanArgs<T> args) {
  const core::AllCores unpinned;  // TBB counts the cores its first caller may use, and its threads inherit them
  if (args.kind == ScanKind::inclusive) {
    std::inclusive_scan(std::execution::par, args.in.begin(), args.in.end(), args.out.begin());
  } else {
    std::exclusive_scan(std::execution::par, args.in.begin(), args.in.end(), args.out.begin(), T{0});
  }
}};

}  // namespace rafter::scan_ladder::cpu
#endif
