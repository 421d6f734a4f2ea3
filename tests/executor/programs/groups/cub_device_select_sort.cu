// cub::DeviceSelect, DevicePartition, DeviceRunLengthEncode, DeviceRadixSort, DeviceMergeSort, DeviceSegmentedSort.
#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>

#include "expect.hpp"

struct IsEven {
  __host__ __device__ bool operator()(int a) const { return a % 2 == 0; }
};
struct Greater {
  __host__ __device__ bool operator()(int a, int b) const { return a > b; }
};

constexpr int n = 700;

std::vector<int> some_values() {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i * 7919 % 331 / 10;
  return values;
}

void check_select() {
  const std::vector<int> in = some_values();
  std::vector<int> even, odd, flags(n), unique;
  for (int i = 0; i < n; ++i) {
    (in[i] % 2 == 0 ? even : odd).push_back(in[i]);
    flags[i] = in[i] % 2 != 0;
    if (i == 0 || in[i] != in[i - 1]) unique.push_back(in[i]);
  }
  const DeviceArray<int> device(in), device_flags(flags);
  DeviceArray<int> out_even(even.size()), out_odd(odd.size()), out_unique(unique.size()), parts(n), count(4);
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceSelect::If(t, b, device.get(), out_even.get(), count.get(), n, IsEven());
  });
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceSelect::Flagged(t, b, device.get(), device_flags.get(), out_odd.get(), count.get() + 1, n);
  });
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceSelect::Unique(t, b, device.get(), out_unique.get(), count.get() + 2, n);
  });
  with_storage([&](void* t, size_t& b) {
    return cub::DevicePartition::If(t, b, device.get(), parts.get(), count.get() + 3, n, IsEven());
  });
  expect_equal(out_even.values(), even, "Select::If");
  expect_equal(out_odd.values(), odd, "Select::Flagged");
  expect_equal(out_unique.values(), unique, "Select::Unique");
  std::vector<int> both = even;
  both.insert(both.end(), odd.rbegin(), odd.rend());
  expect_equal(parts.values(), both, "Partition::If");
  expect_equal(count.values(), std::vector<size_t>{even.size(), odd.size(), unique.size(), even.size()}, "counts");
}

void check_runs() {
  std::vector<int> in(n), unique, lengths;
  for (int i = 0; i < n; ++i) {
    in[i] = i * i / 200;
    if (i == 0 || in[i] != in[i - 1]) unique.push_back(in[i]), lengths.push_back(0);
    ++lengths.back();
  }
  const DeviceArray<int> device(in);
  DeviceArray<int> out(unique.size()), out_lengths(unique.size()), n_runs(1);
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceRunLengthEncode::Encode(t, b, device.get(), out.get(), out_lengths.get(), n_runs.get(), n);
  });
  expect_equal(out.values(), unique, "values of runs");
  expect_equal(out_lengths.values(), lengths, "lengths of runs");
  expect_equal(n_runs.values(), std::vector<int>{static_cast<int>(unique.size())}, "number of runs");
}

void check_radix_sort() {
  std::vector<float> keys(n);
  for (int i = 0; i < n; ++i) keys[i] = static_cast<float>(i * 7919 % 331 - 150) * 0.5f;
  std::vector<int> identity(n);
  std::iota(identity.begin(), identity.end(), 0);
  std::vector<int> order = identity, down = identity;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  std::stable_sort(down.begin(), down.end(), [&](int a, int b) { return keys[a] > keys[b]; });
  std::vector<float> sorted(n), sorted_down(n);
  for (int i = 0; i < n; ++i) sorted[i] = keys[order[i]], sorted_down[i] = keys[down[i]];
  const DeviceArray<float> device(keys);
  const DeviceArray<int> values(identity);
  DeviceArray<float> out(n), alternate(n), current(keys);
  DeviceArray<int> out_values(n);
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceRadixSort::SortPairs(t, b, device.get(), out.get(), values.get(), out_values.get(), n);
  });
  expect_equal(out.values(), sorted, "SortPairs, keys");
  expect_equal(out_values.values(), order, "SortPairs, values");
  with_storage(
      [&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeysDescending(t, b, device.get(), out.get(), n); });
  expect_equal(out.values(), sorted_down, "SortKeysDescending");
  cub::DoubleBuffer<float> buffer(current.get(), alternate.get());
  with_storage([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, buffer, n); });
  std::vector<float> result(n);
  cudaMemcpy(result.data(), buffer.Current(), n * sizeof(float), cudaMemcpyDeviceToHost);
  expect_equal(result, sorted, "SortKeys of a double buffer");
}

void check_other_sorts() {
  std::vector<int> keys = some_values(), identity(n), order;
  std::iota(identity.begin(), identity.end(), 0);
  order = identity;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] > keys[b]; });
  DeviceArray<int> device(keys), values(identity);
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceMergeSort::StableSortPairs(t, b, device.get(), values.get(), n, Greater());
  });
  expect_equal(values.values(), order, "DeviceMergeSort");

  const std::vector<int> offsets{0, 100, 100, 350, n};
  const DeviceArray<int> unsorted(keys), device_offsets(offsets);
  DeviceArray<int> by_segment(n), by_radix(n);
  for (int s = 0; s < 4; ++s) std::sort(keys.begin() + offsets[s], keys.begin() + offsets[s + 1]);
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceSegmentedSort::SortKeys(t, b, unsorted.get(), by_segment.get(), n, 4, device_offsets.get(),
                                              device_offsets.get() + 1);
  });
  expect_equal(by_segment.values(), keys, "DeviceSegmentedSort");
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceSegmentedRadixSort::SortKeys(t, b, unsorted.get(), by_radix.get(), n, 4, device_offsets.get(),
                                                   device_offsets.get() + 1, 0, 32);
  });
  expect_equal(by_radix.values(), keys, "DeviceSegmentedRadixSort");
}

int main() {
  check_select();
  check_runs();
  check_radix_sort();
  check_other_sorts();
  return report();
}
