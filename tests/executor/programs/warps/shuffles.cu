// Every shuffle at every width compared with a plain model: all distances, random masks with an argument for each lane,
// partial warps, exited lanes, and lanes that shuffle separately in the other branch.
#include <random>

#include "../groups/expect.hpp"

enum Op { by_index, up, down, exclusive_or, n_ops };

struct Case {
  int op, width, n_lanes;
  unsigned mask;
  bool rest_leaves;  // otherwise the lanes outside the mask also shuffle, among themselves
  int argument[32];
};

template <class T>
__host__ __device__ T value_of(int lane) {
  return static_cast<T>(lane * 1000003.0 + 0.5);
}

template <class T>
__device__ T shuffle(const Case& c, unsigned mask, T value) {
  const int argument = c.argument[threadIdx.x];
  if (c.op == by_index) return __shfl_sync(mask, value, argument, c.width);
  if (c.op == up) return __shfl_up_sync(mask, value, argument, c.width);
  if (c.op == down) return __shfl_down_sync(mask, value, argument, c.width);
  return __shfl_xor_sync(mask, value, argument, c.width);
}

template <class T>
__global__ void run(const Case* cases, T* out) {
  const Case& c = cases[blockIdx.x];
  const int lane = threadIdx.x;
  const unsigned rest = ~c.mask & (c.n_lanes == 32 ? ~0u : (1u << c.n_lanes) - 1);
  if (lane >= c.n_lanes) return;
  T got;
  if (c.mask >> lane & 1) {
    got = shuffle(c, c.mask, value_of<T>(lane));
  } else {
    if (c.rest_leaves) return;
    got = shuffle(c, rest, value_of<T>(lane));
  }
  out[blockIdx.x * 32 + lane] = got;
}

// Returns the lane whose value a lane gets: its own if the source is outside the range its group may read.
int source_of(int op, int lane, int argument, int width) {
  const int first = lane / width * width, last = first + width - 1;
  int source = lane;
  if (op == by_index) source = first + (argument % width + width) % width;
  if (op == up) source = lane - argument < first ? lane : lane - argument;
  if (op == down) source = lane + argument > last ? lane : lane + argument;
  if (op == exclusive_or) source = (lane ^ argument) > last ? lane : lane ^ argument;  // lower groups may be read
  return source;
}

bool in(unsigned mask, int lane) { return mask >> lane & 1; }

std::vector<Case> uniform_cases() {
  std::vector<Case> cases;
  for (int op = 0; op < n_ops; ++op) {
    for (int width = 1; width <= 32; width *= 2) {
      for (int argument = 0; argument < 32; ++argument) {
        Case c{op, width, 32, ~0u, true, {}};
        for (int& one : c.argument) one = argument;
        cases.push_back(c);
      }
    }
  }
  return cases;
}

// Returns an argument whose source lane is in the lane's mask; 0 always is, except as an index.
int random_argument(const Case& c, unsigned mask, int lane, std::mt19937& random) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    const int argument = c.op == by_index ? static_cast<int>(random() % 100) - 30 : static_cast<int>(random() % 32);
    if (in(mask, source_of(c.op, lane, argument, c.width))) return argument;
  }
  return c.op == by_index ? lane : 0;
}

std::vector<Case> random_cases() {
  std::mt19937 random(2024);
  std::vector<Case> cases;
  for (int op = 0; op < n_ops; ++op) {
    for (int width = 1; width <= 32; width *= 2) {
      for (int round = 0; round < 40; ++round) {
        Case c{op, width, round % 3 ? 32 : 1 + static_cast<int>(random() % 32), 0, round % 2 == 0, {}};
        const unsigned existing = c.n_lanes == 32 ? ~0u : (1u << c.n_lanes) - 1;
        while (c.mask == 0) c.mask = existing & (round % 4 ? random() : random() & random() & random());
        for (int lane = 0; lane < c.n_lanes; ++lane) {
          const unsigned own = in(c.mask, lane) ? c.mask : existing & ~c.mask;
          c.argument[lane] = random_argument(c, own, lane, random);
        }
        cases.push_back(c);
      }
    }
  }
  return cases;
}

template <class T>
void check(const std::vector<Case>& cases, int n_threads, const char* what) {
  DeviceArray<Case> on_device(cases);
  DeviceArray<T> out(cases.size() * 32);
  run<T><<<static_cast<unsigned>(cases.size()), n_threads>>>(on_device.get(), out.get());
  std::vector<T> want(cases.size() * 32);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    for (int lane = 0; lane < c.n_lanes; ++lane) {
      if (!in(c.mask, lane) && c.rest_leaves) continue;
      want[i * 32 + lane] = value_of<T>(source_of(c.op, lane, c.argument[lane], c.width));
    }
  }
  expect_equal(out.values(), want, what);
}

int main() {
  check<int>(uniform_cases(), 32, "all distances, int");
  check<unsigned>(uniform_cases(), 32, "all distances, unsigned");
  check<float>(uniform_cases(), 32, "all distances, float");
  check<double>(uniform_cases(), 32, "all distances, double");
  check<long long>(random_cases(), 32, "random masks, long long");
  check<int>(random_cases(), 32, "random masks, int");
  std::vector<Case> short_ones;
  for (const Case& c : random_cases()) {
    if (c.n_lanes <= 21) short_ones.push_back(c);
  }
  check<float>(short_ones, 21, "a block of 21 threads");
  return n_failed() == 0 ? 0 : 1;
}
