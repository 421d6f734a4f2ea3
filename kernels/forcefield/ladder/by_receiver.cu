// by_receiver: stages instead of operations. A warp sums up what an atom hears, with tabulated filters and without
// storing a message; products of 12 atoms have what follows them fused to them. A launch a stage. Bound by the L2:
// states of all atoms pass through it between stages.
#include "forcefield/cuda/forcefield_molecules.cuh"
#include "forcefield/cuda/forcefield_staged.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

extern const ForceFieldRung by_receiver{[](const Stream& stream, const ForceFieldArgs<float>& args) {
  if (!fits_blocks(args.model->view()))
    throw Error(ErrorCode::unsupported, "this rung is made for tables and features in fours");
  launch_staged(stream, args, args.batch->n_molecules());
}};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
