// plain: one element after the other; every sum waits for the one before it.
#include "scan/scan_rung.hpp"

namespace rafter::scan_ladder::cpu {

template <class T>
void plain(const Stream&, std::span<const T> in, ScanKind kind, std::span<T> out) {
  Carry<T> sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const Carry<T> next = sum + static_cast<Carry<T>>(in[i]);
    out[i] = static_cast<T>(kind == ScanKind::inclusive ? next : sum);
    sum = next;
  }
}

RAFTER_SCAN_RUNG(plain);

}  // namespace rafter::scan_ladder::cpu
