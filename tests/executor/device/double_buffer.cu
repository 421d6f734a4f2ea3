// double_buffer: one warp fills a tile while another sums the previous one. Two named barriers per buffer order them.
#include "library/core/cuda/launch.cuh"
#include "double_buffer.hpp"
#include "library/ptx/named_barrier.cuh"

namespace rafter::test::RAFTER_BACKEND {

namespace {

constexpr int tile = 32;
constexpr int full = 1, empty = 3;  // and the one after each: one pair of barriers per buffer

__global__ void double_buffer_kernel(const float* in, int n_tiles, float* out, bool reads_full_buffer) {
  __shared__ float buffer[2][tile];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < n_tiles; ++i) {
      if (i >= 2) ptx::barrier_sync(empty + i % 2, 64);  // the consumer is done with this buffer
      buffer[i % 2][lane] = in[i * tile + lane];
      ptx::barrier_arrive(full + i % 2, 64);
    }
  } else {
    float total = 0;
    for (int i = 0; i < n_tiles; ++i) {
      ptx::barrier_sync(full + i % 2, 64);  // the producer has filled it
      total += buffer[(i + (reads_full_buffer ? 0 : 1)) % 2][31 - lane];
      if (i + 2 < n_tiles) ptx::barrier_arrive(empty + i % 2, 64);
    }
    out[lane] = total;
  }
}

}  // namespace

void double_buffer(const Stream& stream, const float* in, int n_tiles, float* out, bool reads_full_buffer) {
  core::launch(double_buffer_kernel, 1, 64, 0, stream, in, n_tiles, out, reads_full_buffer);
}

}  // namespace rafter::test::RAFTER_BACKEND
