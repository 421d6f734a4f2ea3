// CUB's device algorithms in the two-call pattern: ask for the temporary storage, then run.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#define CubDebugExit2(e) do { if ((e) != cudaSuccess) { printf("line %d failed\n", __LINE__); exit(2); } } while (0)

struct IsEven {
  __host__ __device__ bool operator()(const int& v) const { return v % 2 == 0; }
};


template <typename Call>
void two_calls(Call call) {
  void* temp = nullptr;
  size_t bytes = 0;
  CubDebugExit2(call(temp, bytes));
  CubDebugExit2(cudaMalloc(&temp, bytes));
  CubDebugExit2(call(temp, bytes));
  CubDebugExit2(cudaDeviceSynchronize());
  CubDebugExit2(cudaFree(temp));
}

template <typename T>
std::vector<T> fetch(const T* d, int n) {
  std::vector<T> h(n);
  CubDebugExit2(cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost));
  return h;
}

int main() {
  const int n = 1003;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 7919) % 1009 + 1;
  int *in, *out, *one, *values, *values_out;
  for (int** p : {&in, &out, &values, &values_out}) CubDebugExit2(cudaMalloc(p, n * sizeof(int)));
  CubDebugExit2(cudaMalloc(&one, sizeof(int)));
  CubDebugExit2(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  int bad = 0;

  two_calls([&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, in, one, n); });
  bad += fetch(one, 1)[0] != std::accumulate(h.begin(), h.end(), 0);
  two_calls([&](void* t, size_t& b) { return cub::DeviceReduce::Max(t, b, in, one, n); });
  bad += fetch(one, 1)[0] != *std::max_element(h.begin(), h.end());
  two_calls([&](void* t, size_t& b) { return cub::DeviceReduce::Min(t, b, in, one, n); });
  bad += fetch(one, 1)[0] != *std::min_element(h.begin(), h.end());

  two_calls([&](void* t, size_t& b) { return cub::DeviceScan::ExclusiveSum(t, b, in, out, n); });
  std::vector<int> want(n);
  for (int i = 0, sum = 0; i < n; sum += h[i++]) want[i] = sum;
  bad += fetch(out, n) != want;
  two_calls([&](void* t, size_t& b) { return cub::DeviceScan::InclusiveSum(t, b, in, out, n); });
  std::partial_sum(h.begin(), h.end(), want.begin());
  bad += fetch(out, n) != want;

  two_calls([&](void* t, size_t& b) { return cub::DeviceSelect::If(t, b, in, out, one, n, IsEven()); });
  want.clear();
  std::copy_if(h.begin(), h.end(), std::back_inserter(want), IsEven());
  bad += fetch(one, 1)[0] != (int)want.size() || fetch(out, want.size()) != want;

  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  CubDebugExit2(cudaMemcpy(values, order.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  two_calls([&](void* t, size_t& b) {
    return cub::DeviceRadixSort::SortPairs(t, b, in, out, values, values_out, n);
  });
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return h[a] < h[b]; });
  std::vector<int> sorted(h);
  std::sort(sorted.begin(), sorted.end());
  bad += fetch(out, n) != sorted || fetch(values_out, n) != order;
  two_calls([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeysDescending(t, b, in, out, n); });
  std::reverse(sorted.begin(), sorted.end());
  bad += fetch(out, n) != sorted;

  for (int* p : {in, out, one, values, values_out}) CubDebugExit2(cudaFree(p));
  printf("cub_device: %d wrong results\n", bad);
  return bad != 0;
}
