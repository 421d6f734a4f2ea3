// by_size: a block a molecule with tabulated filters, all in one launch; large and periodic ones by lists of
// neighbours. Without a table, in float64, and for features that are not a multiple of four: operation by operation.
#include <algorithm>

#include "forcefield/cuda/forcefield_molecules.cuh"
#include "forcefield/cuda/forcefield_per_op.cuh"
#include "forcefield/cuda/forcefield_staged.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

namespace {

/// Atoms at a time of those that keep everything: some 100 MB for molecules with 60 neighbours an atom.
constexpr std::int64_t per_op_atoms = 128;

}  // namespace

extern const ForceFieldRung by_size{[]<class T>(const Stream& stream, const ForceFieldArgs<T>& args) {
  if constexpr (std::is_same_v<T, float>) {
    if (fits_blocks(args.model->view())) {
      launch_staged(stream, args, args.batch->n_large());
      launch_molecules(stream, args);
      return;
    }
  }
  launch_per_op<EdgeKernels::fused>(stream, args, per_op_atoms);
}};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
