// Votes, matches and reductions compared with a plain model: random masks over blocks of several warps, the last one
// partial, with exited lanes.
#include <algorithm>
#include <random>

#include "../groups/expect.hpp"

constexpr int n_results = 18;

struct Input {
  unsigned mask;
  int predicate, key;
  unsigned bits;
};

__global__ void run(const Input* inputs, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const Input own = inputs[i];
  if (!(own.mask >> (threadIdx.x % 32) & 1)) return;
  unsigned* to = out + i * n_results;
  const int number = static_cast<int>(own.bits);
  int is_all = -1, is_all_wide = -1;
  to[0] = __ballot_sync(own.mask, own.predicate);
  to[1] = __any_sync(own.mask, own.predicate) != 0;
  to[2] = __all_sync(own.mask, own.predicate) != 0;
  to[3] = __match_any_sync(own.mask, own.key);
  to[4] = __match_any_sync(own.mask, own.key * 0x100000000ll);
  to[5] = __match_all_sync(own.mask, own.key, &is_all);
  to[6] = is_all != 0;
  to[7] = __match_all_sync(own.mask, own.key * 0.25, &is_all_wide);
  to[8] = is_all_wide != 0;
  to[9] = __reduce_add_sync(own.mask, own.bits);
  to[10] = __reduce_min_sync(own.mask, own.bits);
  to[11] = __reduce_max_sync(own.mask, own.bits);
  to[12] = static_cast<unsigned>(__reduce_add_sync(own.mask, number));
  to[13] = static_cast<unsigned>(__reduce_min_sync(own.mask, number));
  to[14] = static_cast<unsigned>(__reduce_max_sync(own.mask, number));
  to[15] = __reduce_and_sync(own.mask, own.bits);
  to[16] = __reduce_or_sync(own.mask, own.bits);
  to[17] = __reduce_xor_sync(own.mask, own.bits);
}

// Returns the result of one lane for the inputs of its warp.
void model(const Input* warp, int lane, unsigned* to) {
  const unsigned mask = warp[lane].mask;
  unsigned ballot = 0, same = 0, sum = 0, all_bits = ~0u, any_bits = 0, odd_bits = 0;
  unsigned smallest = ~0u, largest = 0;
  int lowest = 0x7fffffff, highest = -0x7fffffff - 1;
  for (int other = 0; other < 32; ++other) {
    if (!(mask >> other & 1)) continue;
    const Input& in = warp[other];
    if (in.predicate) ballot |= 1u << other;
    if (in.key == warp[lane].key) same |= 1u << other;
    sum += in.bits;
    smallest = std::min(smallest, in.bits);
    largest = std::max(largest, in.bits);
    lowest = std::min(lowest, static_cast<int>(in.bits));
    highest = std::max(highest, static_cast<int>(in.bits));
    all_bits &= in.bits;
    any_bits |= in.bits;
    odd_bits ^= in.bits;
  }
  const unsigned matched = same == mask ? mask : 0, is_matched = same == mask;
  const unsigned results[n_results] = {ballot,
                                       ballot != 0,
                                       ballot == mask,
                                       same,
                                       same,
                                       matched,
                                       is_matched,
                                       matched,
                                       is_matched,
                                       sum,
                                       smallest,
                                       largest,
                                       sum,
                                       static_cast<unsigned>(lowest),
                                       static_cast<unsigned>(highest),
                                       all_bits,
                                       any_bits,
                                       odd_bits};
  std::copy(results, results + n_results, to);
}

// Inputs of one warp: few distinct keys and predicates in some rounds, so that all lanes sometimes agree.
void fill(Input* warp, int n_lanes, int round, std::mt19937& random) {
  const unsigned existing = n_lanes == 32 ? ~0u : (1u << n_lanes) - 1;
  unsigned mask = 0;
  while (mask == 0) mask = existing & (round % 4 == 0 ? ~0u : round % 4 == 1 ? random() & random() : random());
  const unsigned n_keys = 1 + round % 3, odds = 1 + round % 5;
  for (int lane = 0; lane < n_lanes; ++lane) {
    warp[lane] = {mask, static_cast<int>(random() % odds) * 2, static_cast<int>(random() % n_keys) - 1,
                  static_cast<unsigned>(random()) | (round % 7 == 0 ? 0x80000000u : 0)};
    if (round % 5 == 4) warp[lane].predicate = 1;
  }
}

void check(int n_threads, int n_blocks, const char* what) {
  std::mt19937 random(static_cast<unsigned>(n_threads));
  std::vector<Input> inputs(static_cast<std::size_t>(n_blocks) * n_threads);
  std::vector<unsigned> want(inputs.size() * n_results);
  for (int block = 0, round = 0; block < n_blocks; ++block) {
    for (int first = 0; first < n_threads; first += 32, ++round) {
      const int n_lanes = std::min(32, n_threads - first);
      Input* warp = &inputs[static_cast<std::size_t>(block) * n_threads + first];
      fill(warp, n_lanes, round, random);
      for (int lane = 0; lane < n_lanes; ++lane) {
        if (warp[lane].mask >> lane & 1) model(warp, lane, &want[(warp - &inputs[0] + lane) * n_results]);
      }
    }
  }
  DeviceArray<Input> on_device(inputs);
  DeviceArray<unsigned> out(want.size());
  run<<<n_blocks, n_threads>>>(on_device.get(), out.get());
  expect_equal(out.values(), want, what);
}

int main() {
  check(32, 300, "one warp");
  check(96, 100, "three warps");
  check(1, 3, "one thread");
  check(77, 100, "a last warp of 13 lanes");
  return n_failed() == 0 ? 0 : 1;
}
