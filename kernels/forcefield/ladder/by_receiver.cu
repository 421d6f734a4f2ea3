// by_receiver: one launch per stage instead of one per operation. A warp sums the messages to an atom, with tabulated
// filters and without storing messages; products of 12 atoms are fused with the operations that follow. Bound by the
// L2: the states of all atoms pass through it between stages.
#include "forcefield/cuda/forcefield_molecules.cuh"
#include "forcefield/cuda/forcefield_staged.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

extern const ForceFieldRung by_receiver{[](const Stream& stream, const ForceFieldArgs<float>& args) {
  if (!fits_blocks(args.model->view()))
    throw Error(ErrorCode::unsupported, "this rung is made for tables and features in fours");
  launch_staged(stream, args, args.batch->n_molecules());
}};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
