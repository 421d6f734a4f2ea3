// cub::DeviceReduce, DeviceSegmentedReduce and DeviceScan.
#include <algorithm>
#include <cub/cub.cuh>

#include "expect.hpp"

struct Largest {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct Squared {
  __host__ __device__ long long operator()(int a) const { return static_cast<long long>(a) * a; }
};
struct Plus {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a + b;
  }
};

constexpr int n = 1000;

std::vector<int> some_values() {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i * 7919 % 1013 - 400;
  return values;
}

void check_reduce() {
  const std::vector<int> in = some_values();
  const DeviceArray<int> device(in);
  DeviceArray<int> out(3);
  DeviceArray<long long> squares(1);
  long long sum_of_squares = 5;
  int sum = 0;
  for (int value : in) sum += value, sum_of_squares += static_cast<long long>(value) * value;
  with_storage([&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, device.get(), out.get(), n); });
  with_storage([&](void* t, size_t& b) { return cub::DeviceReduce::Min(t, b, device.get(), out.get() + 1, n); });
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceReduce::Reduce(t, b, device.get(), out.get() + 2, n, Largest(), -1000);
  });
  expect_equal(out.values(),
               std::vector<int>{sum, *std::min_element(in.begin(), in.end()), *std::max_element(in.begin(), in.end())},
               "DeviceReduce");
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceReduce::TransformReduce(t, b, device.get(), squares.get(), n, Plus(), Squared(), 5LL);
  });
  expect_equal(squares.values(), std::vector<long long>{sum_of_squares}, "TransformReduce");
  DeviceArray<int> largest(1);
  with_storage([&](void* t, size_t& b) { return cub::DeviceReduce::Max(t, b, device.get(), largest.get(), n); });
  expect_equal(largest.values(), std::vector<int>{*std::max_element(in.begin(), in.end())}, "Max");
}

// Sequential addition would lose all the ones to rounding.
void check_rounding() {
  std::vector<float> ones(4096, 1.0f);
  ones[0] = 16777216.0f;
  const DeviceArray<float> device(ones);
  DeviceArray<float> sum(1);
  with_storage([&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, device.get(), sum.get(), 4096); });
  const float got = sum.values()[0];
  expect(got >= 16777216.0f + 4000 && got <= 16777216.0f + 4096, "a float sum is not sequential");
}

void check_reduce_by_key() {
  std::vector<int> keys(n), unique, sums;
  const std::vector<int> values = some_values();
  for (int i = 0; i < n; ++i) {
    keys[i] = i / 7 % 5;
    if (i == 0 || keys[i] != keys[i - 1]) unique.push_back(keys[i]), sums.push_back(0);
    sums.back() += values[i];
  }
  const DeviceArray<int> device_keys(keys), device_values(values);
  DeviceArray<int> out_keys(unique.size()), out_sums(unique.size()), n_runs(1);
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceReduce::ReduceByKey(t, b, device_keys.get(), out_keys.get(), device_values.get(), out_sums.get(),
                                          n_runs.get(), Plus(), n);
  });
  expect_equal(n_runs.values(), std::vector<int>{static_cast<int>(unique.size())}, "runs of keys");
  expect_equal(out_keys.values(), unique, "unique keys");
  expect_equal(out_sums.values(), sums, "sums by key");
}

void check_segments() {
  const std::vector<int> values = some_values(), offsets{0, 10, 10, 500, n};
  std::vector<int> sums(4), smallest(4);
  for (int s = 0; s < 4; ++s) {
    smallest[s] = 0x7fffffff;
    for (int i = offsets[s]; i < offsets[s + 1]; ++i)
      sums[s] += values[i], smallest[s] = std::min(smallest[s], values[i]);
  }
  const DeviceArray<int> device(values), device_offsets(offsets);
  DeviceArray<int> out(4), out_min(4);
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceSegmentedReduce::Sum(t, b, device.get(), out.get(), 4, device_offsets.get(),
                                           device_offsets.get() + 1);
  });
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceSegmentedReduce::Min(t, b, device.get(), out_min.get(), 4, device_offsets.get(),
                                           device_offsets.get() + 1);
  });
  expect_equal(out.values(), sums, "sums of segments");
  expect_equal(out_min.values(), smallest, "minima of segments");
}

void check_scan() {
  const std::vector<int> in = some_values();
  std::vector<int> inclusive(n), exclusive(n), largest(n), by_key(n), keys(n);
  int sum = 0, best = -100;
  for (int i = 0; i < n; ++i) {
    keys[i] = i / 30;
    by_key[i] = (i % 30 == 0 ? 0 : by_key[i - 1]) + in[i];
    exclusive[i] = sum;
    largest[i] = best;
    sum += in[i];
    best = std::max(best, in[i]);
    inclusive[i] = sum;
  }
  const DeviceArray<int> device(in), device_keys(keys);
  DeviceArray<int> out(n), in_place(in), scanned(n), keyed(n);
  with_storage([&](void* t, size_t& b) { return cub::DeviceScan::InclusiveSum(t, b, device.get(), out.get(), n); });
  expect_equal(out.values(), inclusive, "InclusiveSum");
  with_storage(
      [&](void* t, size_t& b) { return cub::DeviceScan::ExclusiveSum(t, b, in_place.get(), in_place.get(), n); });
  expect_equal(in_place.values(), exclusive, "ExclusiveSum in place");
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceScan::ExclusiveScan(t, b, device.get(), scanned.get(), Largest(), -100, n);
  });
  expect_equal(scanned.values(), largest, "ExclusiveScan");
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceScan::InclusiveSumByKey(t, b, device_keys.get(), device.get(), keyed.get(), n);
  });
  expect_equal(keyed.values(), by_key, "InclusiveSumByKey");
}

int main() {
  check_reduce();
  check_rounding();
  check_reduce_by_key();
  check_segments();
  check_scan();
  return report();
}
