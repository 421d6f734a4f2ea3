// by_size: small molecules in one launch, each in a block or a cluster, with tabulated filters; large and periodic ones
// in stages with neighbour lists; all in stages if some are of medium size. The results of a molecule are bitwise the
// same in all three. Without a table, in float64, and for features that are not a multiple of four: operation by
// operation. Bound by the fp32 units and by loading the table from the L2 for many molecules, by latency for few
// (NOTES.md).
#include "forcefield/cuda/forcefield_molecules.cuh"
#include "forcefield/cuda/forcefield_per_op.cuh"
#include "forcefield/cuda/forcefield_staged.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

namespace {

/// The number of molecules at the beginning of the batch's order that are computed in stages: the large ones, or all if
/// some are of medium size. Medium ones are faster in stages, and small ones fill the GPU beside them (NOTES.md).
std::int64_t n_staged(const BatchPlan& batch) {
  const std::int64_t slot = batch.n_large() + medium_molecules - 1;  // the largest come first
  const bool has_medium =
      slot < batch.n_molecules() && batch.order_first(slot + 1) - batch.order_first(slot) > core::tuned(medium_atoms);
  return has_medium ? batch.n_molecules() : batch.n_large();
}

}  // namespace

extern const ForceFieldRung by_size{[]<class T>(const Stream& stream, const ForceFieldArgs<T>& args) {
  if constexpr (std::is_same_v<T, float>) {
    if (fits_blocks(args.model->view())) {
      const std::int64_t n = n_staged(*args.batch);
      launch_staged(stream, args, n);
      launch_molecules(stream, args, n);
      return;
    }
  }
  launch_per_op<EdgeKernels::fused>(stream, args, per_op_atoms);
}};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
