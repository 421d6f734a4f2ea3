// plain, with a planted fault: the last element is not written. The test workload_name.planted passes if the contract
// rejects this rung. Plant faults that your own rungs could have.
#include "workload_name_rung.hpp"

namespace rafter::workload_name_ladder::cpu {

extern const WorkloadNameRung plain{[]<class T>(const Stream&, WorkloadNameArgs<T> args) {
  for (std::size_t i = 0; i + 1 < args.out.size(); ++i) args.out[i] = args.factor * args.a[i] + args.b[i];
}};

}  // namespace rafter::workload_name_ladder::cpu
