// A band of outputs by one thread, in blocks that stay in registers while all taps of all channels pass over them: with
// pixels in the lanes of vectors, or maps. Bound by the multiply-add units.
#include "conv/conv_simd.hpp"

#include "conv/cpu/conv_map_lanes.hpp"
#include "conv/cpu/conv_pixel_lanes.hpp"

namespace rafter::conv_ladder::cpu {

RAFTER_ISA_TABLE(ConvLoops, conv_loops) = {calculated, pixels, maps, pool_pixels, pool_maps};

}  // namespace rafter::conv_ladder::cpu
