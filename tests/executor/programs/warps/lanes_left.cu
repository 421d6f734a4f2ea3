// Most lanes exit, and the rest continue with a full mask: operations do not wait for exited lanes, in any warp.
#include "../groups/expect.hpp"

constexpr int n_threads = 3 * 32 + 8, n_blocks = 4, n_stay = 3;

__global__ void meet(int* out) {
  const int lane = threadIdx.x % 32;
  if (lane >= n_stay) return;
  int sum = __reduce_add_sync(~0u, lane + 1);
  __syncwarp();
  sum += __shfl_sync(~0u, sum, 0) + __popc(__ballot_sync(~0u, 1));
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The first lanes leave before the others arrive.
__global__ void meet_last(int* out) {
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 96 && lane < 32 - n_stay) return;
  out[blockIdx.x * blockDim.x + threadIdx.x] = __popc(__ballot_sync(~0u, 1));
}

int main() {
  std::vector<int> expected(n_threads * n_blocks), expected_last = expected;
  for (int i = 0; i < n_threads * n_blocks; ++i) {
    const int thread = i % n_threads, lane = thread % 32;
    expected[i] = lane < n_stay ? 6 + 6 + n_stay : 0;
    expected_last[i] = thread >= 96 ? 8 : lane < 32 - n_stay ? 0 : n_stay;
  }
  DeviceArray<int> out(expected.size()), last(expected.size());
  meet<<<n_blocks, n_threads>>>(out.get());
  expect_equal(out.values(), expected, "lanes that stay meet");
  meet_last<<<n_blocks, n_threads>>>(last.get());
  expect_equal(last.values(), expected_last, "lanes that come last meet");
  return n_failed() == 0 ? 0 : 1;
}
