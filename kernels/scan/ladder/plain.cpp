// plain: one element at a time; every sum waits for the previous one.
#include "scan/scan_rung.hpp"

namespace rafter::scan_ladder::cpu {

extern const ScanRung plain{[]<class T>(const Stream&, ScanArgs<T> args) {
  Carry<T> sum = 0;
  for (std::size_t i = 0; i < args.in.size(); ++i) {
    const Carry<T> next = sum + static_cast<Carry<T>>(args.in[i]);
    args.out[i] = static_cast<T>(args.kind == ScanKind::inclusive ? next : sum);
    sum = next;
  }
}};

}  // namespace rafter::scan_ladder::cpu
