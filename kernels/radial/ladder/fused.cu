// fused: one kernel per pass, no intermediate results in memory.
// Forward, a thread writes one value and computes the cutoff for it again. Backward, a thread reads a row, so the lanes
// of a warp read 4 bytes of each of 32 rows at a time: uncoalesced, but the L1 holds the rows.
#include "radial/cuda/radial_fused.cuh"

namespace rafter::radial_ladder::RAFTER_BACKEND {

extern const RadialRung fused{[](const Stream& stream, const auto& args) { launch_fused(stream, args); }};

}  // namespace rafter::radial_ladder::RAFTER_BACKEND
