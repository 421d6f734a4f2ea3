// fused: one kernel, nothing stored between the operations.
// Forwards a thread writes one value and calculates the cutoff for it; backwards a thread reads a row, so that the
// lanes of a warp read 4 bytes of each of 32 rows at a time.
#include "radial/cuda/radial_fused.cuh"

namespace rafter::radial_ladder::RAFTER_BACKEND {

extern const RadialRung fused{[](const Stream& stream, const auto& args) { launch_fused(stream, args); }};

}  // namespace rafter::radial_ladder::RAFTER_BACKEND
