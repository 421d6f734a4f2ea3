// simd: two shifted additions scan four elements, so only one addition in four waits for the previous one. One thread.
#include <type_traits>

#include "scan/scan_rung.hpp"
#include "scan/scan_simd.hpp"

namespace rafter::scan_ladder::cpu {

extern const ScanRung simd{[]<class T>(const Stream&, ScanArgs<T> args) {
  using Unsigned =
      typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
  const auto& loops = scan_loops().of(args.in.data());
  const auto scan = args.kind == ScanKind::inclusive ? loops.inclusive : loops.exclusive;
  scan(reinterpret_cast<const Unsigned*>(args.in.data()), std::ssize(args.in), 0,
       reinterpret_cast<Unsigned*>(args.out.data()));
}};

}  // namespace rafter::scan_ladder::cpu
