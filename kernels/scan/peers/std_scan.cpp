// std_scan: the C++ standard library's parallel scans (over TBB in libstdc++).
#ifdef RAFTER_WITH_TBB
#include <execution>
#include <numeric>

#include "core/affinity.hpp"
#include "scan/scan_rung.hpp"

namespace rafter::scan_ladder::cpu {

template <class T>
void std_scan(const Stream&, std::span<const T> in, ScanKind kind, std::span<T> out) {
  const core::AllCores unpinned;  // TBB counts the cores its first caller may use, and its threads inherit them
  if (kind == ScanKind::inclusive) {
    std::inclusive_scan(std::execution::par, in.begin(), in.end(), out.begin());
  } else {
    std::exclusive_scan(std::execution::par, in.begin(), in.end(), out.begin(), T{0});
  }
}

RAFTER_SCAN_RUNG(std_scan);

}  // namespace rafter::scan_ladder::cpu
#endif
