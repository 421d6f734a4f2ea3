// out[lane] = the sum over tiles of in[32 * tile + 31 - lane]. Without reads_full_buffer the consumer reads the buffer
// that is being filled.
#pragma once

#include "rafter/stream.hpp"

#define RAFTER_DOUBLE_BUFFER \
  void double_buffer(const Stream& stream, const float* in, int n_tiles, float* out, bool reads_full_buffer)

namespace rafter::test {
namespace simt {
RAFTER_DOUBLE_BUFFER;
}
namespace cuda {
RAFTER_DOUBLE_BUFFER;
}
}  // namespace rafter::test
