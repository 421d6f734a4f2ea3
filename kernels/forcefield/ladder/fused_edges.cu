// fused_edges: per_op with vectors, cutoff and radial functions of an edge in one kernel, and their gradients in
// another. Limited like per_op: the fused operations are a small share of the time (README.md has the stage profile).
#include <algorithm>
#include <limits>

#include "forcefield/cuda/forcefield_per_op.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

extern const ForceFieldRung fused_edges{[]<class T>(const Stream& stream, const ForceFieldArgs<T>& args) {
  launch_per_op<EdgeKernels::fused>(stream, args, std::numeric_limits<std::int64_t>::max());
}};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
