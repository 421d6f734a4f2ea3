// A band of outputs on one thread, in blocks that stay in registers during the loop over all taps of all channels, with
// pixels or maps in the lanes of vectors. Bound by the multiply-add units.
#include "conv/conv_simd.hpp"

#include "conv/cpu/conv_map_lanes.hpp"
#include "conv/cpu/conv_pixel_lanes.hpp"

namespace rafter::conv_ladder::cpu {

RAFTER_ISA_TABLE(ConvLoops, conv_loops) = {calculated, pixels, maps, pool_pixels, pool_maps};

}  // namespace rafter::conv_ladder::cpu
