// by_size: a block or a cluster a molecule with tabulated filters, all in one launch; large and periodic ones by stages
// with lists of neighbours, and all where some are of medium size. A molecule's bits do not depend on which it is.
// Without a table, in float64, and for features that are not a multiple of four: operation by operation.
#include "forcefield/cuda/forcefield_molecules.cuh"
#include "forcefield/cuda/forcefield_per_op.cuh"
#include "forcefield/cuda/forcefield_staged.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

namespace {

/// Atoms at a time of those that keep everything: some 100 MB for molecules with 60 neighbours an atom.
constexpr std::int64_t per_op_atoms = 128;

/// Molecules at the beginning of the batch's order that go through stages: the large ones, or all where there are some
/// of medium size. Those are faster so, and small ones fill what they leave idle (NOTES.md).
std::int64_t n_staged(const BatchPlan& batch) {
  constexpr std::int64_t medium_atoms = 32, some = 4;
  const std::int64_t slot = batch.n_large() + some - 1;  // the largest come first
  const bool has_some =
      slot < batch.n_molecules() && batch.order_first(slot + 1) - batch.order_first(slot) > medium_atoms;
  return has_some ? batch.n_molecules() : batch.n_large();
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
