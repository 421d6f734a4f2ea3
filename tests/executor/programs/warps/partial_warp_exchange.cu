// Lanes exchange values while parts of their warp do other things: halves and quarters run separate operations, in
// different numbers, with barriers, full masks, votes and exiting lanes in between. Each value is compared with the
// host's.
#include <algorithm>

#include "../groups/expect.hpp"

constexpr int n_threads = 5 * 32 + 16, n_blocks = 3, n_rounds = 9;  // the last warp is half full

// Each part of a warp has 32, 16 or 8 lanes; later parts shuffle more often.
__global__ void parts(int* out, int part) {
  const int lane = threadIdx.x % 32, first = lane / part * part, number = lane / part;
  const unsigned mask = (part == 32 ? ~0u : (1u << part) - 1) << first;
  int value = threadIdx.x + 1;
  for (int round = 0; round < n_rounds + number; ++round) {
    const int step = 1 << round % 3;
    if (round % 3 == 0) value += __shfl_xor_sync(mask, value, step, part);
    if (round % 3 == 1) value += __shfl_sync(mask, value, (lane + step) % part, part);
    if (round % 3 == 2) value += __popc(__ballot_sync(mask, value & 1));
    if (round == 4) __syncthreads();  // not needed for ordering; it interrupts the shuffles
  }
  __syncwarp();
  out[blockIdx.x * blockDim.x + threadIdx.x] = value + __reduce_max_sync(~0u, value);
}

// After each operation of the whole warp, quarters start another one before all lanes have read the first result.
__global__ void whole_and_quarters(int* out) {
  const int lane = threadIdx.x % 32;
  const unsigned quarter = 0xffu << lane / 8 * 8;
  unsigned value = threadIdx.x;
  for (int round = 0; round < 64; ++round) {
    const unsigned one = __shfl_sync(~0u, value, round % 32);
    const unsigned other = __shfl_xor_sync(quarter, one ^ value, 1, 8);
    value = one + 3 * other + lane;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(value);
}

// In every round the highest remaining lane leaves the loop; the mask names the others.
__global__ void fewer_and_fewer(int* out) {
  const int lane = threadIdx.x % 32;
  int value = lane;
  for (int n = 16; n > 1; --n) {
    if (lane >= n) break;
    value = 3 * value + __shfl_sync((1u << n) - 1, value, (lane + 1) % n);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static int expected_of_part(int thread, int part) {
  const int lane = thread % 32, first = thread - lane % part;
  std::vector<int> now(part);
  for (int l = 0; l < part; ++l) now[l] = first + l + 1;
  for (int round = 0; round < n_rounds + lane / part; ++round) {
    const int step = 1 << round % 3;
    std::vector<int> next = now;
    int votes = 0;
    for (int l = 0; l < part; ++l) votes += now[l] & 1;
    for (int l = 0; l < part; ++l) {
      const int there = (l + step) % part;  // lane indices relative to the part, whose size divides 32
      next[l] += round % 3 == 0 ? now[l ^ step] : round % 3 == 1 ? now[there] : votes;
    }
    now = next;
  }
  return now[thread - first];
}

int main() {
  for (const int part : {16, 8}) {
    std::vector<int> values(n_threads), expected(n_threads * n_blocks);
    for (int t = 0; t < n_threads; ++t) values[t] = expected_of_part(t, part);
    for (int i = 0; i < n_threads * n_blocks; ++i) {
      const int t = i % n_threads, first = t / 32 * 32, end = std::min(first + 32, n_threads);
      expected[i] = values[t] + *std::max_element(values.begin() + first, values.begin() + end);
    }
    DeviceArray<int> out(expected.size());
    parts<<<n_blocks, n_threads>>>(out.get(), part);
    expect_equal(out.values(), expected, "parts of a warp");
  }
  {
    std::vector<int> expected(64 * n_blocks);
    for (int first = 0; first < 64; first += 32) {
      std::vector<unsigned> now(32), next(32);
      for (int l = 0; l < 32; ++l) now[l] = first + l;
      for (int round = 0; round < 64; ++round) {
        const unsigned one = now[round % 32];
        for (int l = 0; l < 32; ++l) next[l] = one + 3 * (one ^ now[l ^ 1]) + l;
        now = next;
      }
      for (int b = 0; b < n_blocks; ++b)
        for (int l = 0; l < 32; ++l) expected[b * 64 + first + l] = static_cast<int>(now[l]);
    }
    DeviceArray<int> out(expected.size());
    whole_and_quarters<<<n_blocks, 64>>>(out.get());
    expect_equal(out.values(), expected, "whole warps and quarters");
  }
  {
    std::vector<int> expected(96 * n_blocks);
    for (int i = 0; i < 96 * n_blocks; ++i) {
      std::vector<int> now(32);
      for (int l = 0; l < 32; ++l) now[l] = l;
      for (int n = 16; n > 1; --n) {
        std::vector<int> next = now;
        for (int l = 0; l < n; ++l) next[l] = 3 * now[l] + now[(l + 1) % n];
        now = next;
      }
      expected[i] = now[i % 32];
    }
    DeviceArray<int> out(expected.size());
    fewer_and_fewer<<<n_blocks, 96>>>(out.get());
    expect_equal(out.values(), expected, "lanes that leave one by one");
  }
  return n_failed() == 0 ? 0 : 1;
}
