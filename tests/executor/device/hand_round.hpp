// out[lane] = the sum over tiles of in[32 * tile + 31 - lane]; out of turn the consumer reads the
// buffer that is being filled.
#pragma once

#include "rafter/stream.hpp"

#define RAFTER_HAND_ROUND void hand_round(const Stream& stream, const float* in, int n_tiles, float* out, bool in_turn)

namespace rafter::test {
namespace simt {
RAFTER_HAND_ROUND;
}
namespace cuda {
RAFTER_HAND_ROUND;
}
}  // namespace rafter::test
