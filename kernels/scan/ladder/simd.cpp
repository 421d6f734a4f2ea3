// simd: two shifted additions scan four elements, and only one addition in four waits for the one before. One thread.
#include <type_traits>

#include "scan/scan_rung.hpp"
#include "scan/scan_simd.hpp"

namespace rafter::scan_ladder::cpu {

template <class T>
void simd(const Stream&, std::span<const T> in, ScanKind kind, std::span<T> out) {
  using Unsigned = std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
  const auto& loops = scan_loops().of(in.data());
  const auto scan = kind == ScanKind::inclusive ? loops.inclusive : loops.exclusive;
  scan(reinterpret_cast<const Unsigned*>(in.data()), std::ssize(in), 0, reinterpret_cast<Unsigned*>(out.data()));
}

RAFTER_SCAN_RUNG(simd);

}  // namespace rafter::scan_ladder::cpu
