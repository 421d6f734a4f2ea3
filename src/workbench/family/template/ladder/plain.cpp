// plain: one loop on one thread.
// Limited by one core, which cannot saturate memory bandwidth.
#include "workload_name_rung.hpp"

namespace rafter::workload_name_ladder::cpu {

extern const WorkloadNameRung plain{[]<class T>(const Stream&, WorkloadNameArgs<T> args) {
  for (std::size_t i = 0; i < args.out.size(); ++i) args.out[i] = args.factor * args.a[i] + args.b[i];
}};

}  // namespace rafter::workload_name_ladder::cpu
