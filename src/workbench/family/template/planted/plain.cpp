// plain, with a planted fault: the last element is left as it was. The test workload_name.planted passes when the
// contract calls it wrong. Plant what a rung of yours could get wrong.
#include "workload_name_rung.hpp"

namespace rafter::workload_name_ladder::cpu {

extern const WorkloadNameRung plain{[]<class T>(const Stream&, WorkloadNameArgs<T> args) {
  for (std::size_t i = 0; i + 1 < args.out.size(); ++i) args.out[i] = args.factor * args.a[i] + args.b[i];
}};

}  // namespace rafter::workload_name_ladder::cpu
