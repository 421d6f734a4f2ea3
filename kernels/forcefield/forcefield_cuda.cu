// by_size: a block a molecule with tabulated filters, all in one launch; large and periodic ones by lists of
// neighbours.
#include <algorithm>

#include "forcefield/cuda/forcefield_molecules.cuh"
#include "forcefield/cuda/forcefield_staged.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

extern const ForceFieldRung by_size{[](const Stream& stream, const ForceFieldArgs<float>& args) {
  if (!fits_blocks(args.model->view()))
    throw Error(ErrorCode::unsupported, "this rung is made for tables and features in fours");
  launch_staged(stream, args, args.batch->n_large());
  launch_molecules(stream, args);
}};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
