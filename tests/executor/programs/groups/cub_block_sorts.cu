// cub::BlockRadixSort and cub::BlockMergeSort: keys of several types, pairs, bit ranges, both directions, stability.
#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>

#include "expect.hpp"

constexpr int n_threads = 32, n_items = 5, n_tile = n_threads * n_items;

enum class Way { up, down, up_striped, down_striped };

template <class Key>
__global__ void radix_sort(Key* keys, int* values, Way way, int begin_bit, int end_bit) {
  using Sort = cub::BlockRadixSort<Key, n_threads, n_items, int>;
  __shared__ typename Sort::TempStorage storage;
  const int rank = static_cast<int>(threadIdx.x);
  Key my_keys[n_items];
  int my_values[n_items];
  for (int i = 0; i < n_items; ++i) my_keys[i] = keys[rank * n_items + i], my_values[i] = values[rank * n_items + i];
  if (way == Way::up) Sort(storage).Sort(my_keys, my_values, begin_bit, end_bit);
  if (way == Way::down) Sort(storage).SortDescending(my_keys, my_values, begin_bit, end_bit);
  if (way == Way::up_striped) Sort(storage).SortBlockedToStriped(my_keys, my_values, begin_bit, end_bit);
  if (way == Way::down_striped) Sort(storage).SortDescendingBlockedToStriped(my_keys, my_values, begin_bit, end_bit);
  const bool striped = way == Way::up_striped || way == Way::down_striped;
  for (int i = 0; i < n_items; ++i) {
    const int at = striped ? i * n_threads + rank : rank * n_items + i;
    keys[at] = my_keys[i];
    values[at] = my_values[i];
  }
}

template <class Key>
void check_radix(const std::vector<Key>& keys, const char* what) {
  for (const Way way : {Way::up, Way::down, Way::up_striped, Way::down_striped}) {
    const bool down = way == Way::down || way == Way::down_striped;
    std::vector<int> order(n_tile), identity(n_tile);
    std::iota(order.begin(), order.end(), 0);
    std::iota(identity.begin(), identity.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return down ? keys[b] < keys[a] : keys[a] < keys[b]; });
    std::vector<Key> sorted(n_tile);
    for (int i = 0; i < n_tile; ++i) sorted[i] = keys[order[i]];
    DeviceArray<Key> device_keys(keys);
    DeviceArray<int> device_values(identity);
    radix_sort<Key><<<1, n_threads>>>(device_keys.get(), device_values.get(), way, 0, sizeof(Key) * 8);
    expect_equal(device_keys.values(), sorted, what);
    expect_equal(device_values.values(), order, what);
  }
}

void check_bit_range() {
  std::vector<unsigned> keys(n_tile), sorted(n_tile);
  std::vector<int> order(n_tile), identity(n_tile);
  for (int i = 0; i < n_tile; ++i) keys[i] = static_cast<unsigned>(i * 7919 % 4096);
  std::iota(order.begin(), order.end(), 0);
  std::iota(identity.begin(), identity.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return (keys[a] >> 3 & 31) < (keys[b] >> 3 & 31); });
  for (int i = 0; i < n_tile; ++i) sorted[i] = keys[order[i]];
  DeviceArray<unsigned> device_keys(keys);
  DeviceArray<int> device_values(identity);
  radix_sort<unsigned><<<1, n_threads>>>(device_keys.get(), device_values.get(), Way::up, 3, 8);
  expect_equal(device_keys.values(), sorted, "a range of bits");
  expect_equal(device_values.values(), order, "a range of bits");
}

struct Point {
  int x, y;
};
struct ByX {
  __host__ __device__ bool operator()(const Point& a, const Point& b) const { return a.x < b.x; }
};

__global__ void merge_sort(Point* points, int n_valid) {
  using Sort = cub::BlockMergeSort<Point, n_threads, n_items>;
  __shared__ Sort::TempStorage storage;
  Point mine[n_items];
  for (int i = 0; i < n_items; ++i) mine[i] = points[threadIdx.x * n_items + i];
  if (n_valid == n_tile)
    Sort(storage).StableSort(mine, ByX());
  else
    Sort(storage).Sort(mine, ByX(), n_valid, Point{1000, 1000});
  for (int i = 0; i < n_items; ++i) points[threadIdx.x * n_items + i] = mine[i];
}

void check_merge(int n_valid) {
  std::vector<Point> points(n_tile);
  for (int i = 0; i < n_tile; ++i) points[i] = {i * 31 % 17, i};
  DeviceArray<Point> device(points);
  merge_sort<<<1, n_threads>>>(device.get(), n_valid);
  std::stable_sort(points.begin(), points.begin() + n_valid, ByX());
  const std::vector<Point> got = device.values();
  bool same = true;
  for (int i = 0; i < n_valid; ++i) same &= got[i].x == points[i].x && (n_valid < n_tile || got[i].y == points[i].y);
  expect(same, "BlockMergeSort");
}

int main() {
  std::vector<int> ints(n_tile);
  std::vector<float> floats(n_tile);
  std::vector<double> doubles(n_tile);
  std::vector<unsigned char> bytes(n_tile);
  std::vector<long long> longs(n_tile);
  for (int i = 0; i < n_tile; ++i) {
    ints[i] = i * 7919 % 201 - 100;
    floats[i] = static_cast<float>(ints[i]) * 0.75f;
    doubles[i] = ints[i] * -1e30;
    bytes[i] = static_cast<unsigned char>(i * 37);
    longs[i] = ints[i] * 10000000000LL;
  }
  floats[3] = -0.0f;
  floats[9] = 0.0f;
  check_radix(ints, "int keys");
  check_radix(floats, "float keys");
  check_radix(doubles, "double keys");
  check_radix(bytes, "byte keys");
  check_radix(longs, "long long keys");
  check_bit_range();
  check_merge(n_tile);
  check_merge(101);
  return report();
}
