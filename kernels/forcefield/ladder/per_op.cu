// per_op: one kernel per operation, forward and backward, as a framework with automatic differentiation runs them.
// Bound by memory and launches: every edge's filters, messages and gradients are written and read again.
#include <algorithm>
#include <limits>

#include "forcefield/cuda/forcefield_per_op.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

extern const ForceFieldRung per_op{[]<class T>(const Stream& stream, const ForceFieldArgs<T>& args) {
  launch_per_op<EdgeKernels::separate>(stream, args, std::numeric_limits<std::int64_t>::max());
}};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
