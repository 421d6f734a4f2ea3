// cub::DeviceHistogram, DeviceFor, DeviceTransform, DeviceAdjacentDifference, and too little temporary storage.
#include <cub/cub.cuh>

#include "expect.hpp"

struct AddOne {
  int* data;
  __device__ void operator()(int i) { data[i] += 1; }
};
struct Double {
  __device__ void operator()(int& value) { value *= 2; }
};
struct Negate {
  __host__ __device__ int operator()(int value) const { return -value; }
};

constexpr int n = 500;

void check_histograms() {
  std::vector<float> samples(n);
  std::vector<unsigned char> pixels(n * 4);
  std::vector<int> even(10), ranges(3), red(8), green(8);
  const std::vector<float> levels{0.0f, 2.0f, 3.0f, 7.5f};
  for (int i = 0; i < n; ++i) {
    samples[i] = static_cast<float>(i * 37 % 120) * 0.1f - 1.0f;
    if (samples[i] >= 0 && samples[i] < 10) ++even[static_cast<int>(samples[i])];
    for (int bin = 0; bin < 3; ++bin) ranges[bin] += samples[i] >= levels[bin] && samples[i] < levels[bin + 1];
    for (int c = 0; c < 4; ++c) pixels[i * 4 + c] = static_cast<unsigned char>(i * (c + 3));
    ++red[pixels[i * 4] / 32];
    ++green[pixels[i * 4 + 1] / 32];
  }
  const DeviceArray<float> device(samples), device_levels(levels);
  const DeviceArray<unsigned char> device_pixels(pixels);
  DeviceArray<int> out(10), out_ranges(3), out_red(8), out_green(8);
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceHistogram::HistogramEven(t, b, device.get(), out.get(), 11, 0.0f, 10.0f, n);
  });
  expect_equal(out.values(), even, "HistogramEven");
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceHistogram::HistogramRange(t, b, device.get(), out_ranges.get(), 4, device_levels.get(), n);
  });
  expect_equal(out_ranges.values(), ranges, "HistogramRange");
  int* histograms[2] = {out_red.get(), out_green.get()};
  int n_levels[2] = {9, 9}, lower[2] = {0, 0}, upper[2] = {256, 256};
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceHistogram::MultiHistogramEven<4, 2>(t, b, device_pixels.get(), histograms, n_levels, lower, upper,
                                                          n);
  });
  expect_equal(out_red.values(), red, "MultiHistogramEven, first channel");
  expect_equal(out_green.values(), green, "MultiHistogramEven, second channel");
}

void check_loops() {
  std::vector<int> values(n), expected(n), negated(n), differences(n);
  for (int i = 0; i < n; ++i) values[i] = i * i, expected[i] = (i * i + 1) * 2, negated[i] = -expected[i];
  for (int i = 0; i < n; ++i) differences[i] = i == 0 ? expected[0] : expected[i] - expected[i - 1];
  DeviceArray<int> device(values), out(n), left(n);
  expect(cub::DeviceFor::Bulk(n, AddOne{device.get()}) == cudaSuccess, "Bulk");
  expect(cub::DeviceFor::ForEachN(device.get(), n, Double()) == cudaSuccess, "ForEachN");
  expect_equal(device.values(), expected, "DeviceFor");
  expect(cub::DeviceTransform::Transform(device.get(), out.get(), n, Negate()) == cudaSuccess, "Transform");
  expect_equal(out.values(), negated, "DeviceTransform");
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceAdjacentDifference::SubtractLeftCopy(t, b, device.get(), left.get(), n);
  });
  expect_equal(left.values(), differences, "DeviceAdjacentDifference");
}

void check_small_storage() {
  DeviceArray<int> in(n), out(n), storage(1);
  std::size_t bytes = 1;
  expect(cub::DeviceRadixSort::SortKeys(storage.get(), bytes, in.get(), out.get(), n) == cudaErrorInvalidValue,
         "too little storage is refused");
}

int main() {
  check_histograms();
  check_loops();
  check_small_storage();
  return report();
}
