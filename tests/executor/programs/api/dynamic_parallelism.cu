// nvcc: -rdc=true
// Kernels that launch kernels: a recursive sort, launches in sequence, tail launches, and memory that a kernel allocates
// for the one it launches.
#include <cstdio>
#include <vector>

int n_failed = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  ++n_failed;
  std::printf("FAILED: %s\n", what);
}

__device__ void swap(int& a, int& b) {
  const int old = a;
  a = b;
  b = old;
}

__global__ void quicksort(int* values, int left, int right, int depth) {
  if (depth >= 20) {
    for (int i = left; i <= right; ++i) {
      for (int j = i; j > left && values[j] < values[j - 1]; --j) swap(values[j], values[j - 1]);
    }
    return;
  }
  int low = left, high = right;
  const int pivot = values[(left + right) / 2];
  while (low <= high) {
    while (values[low] < pivot) ++low;
    while (values[high] > pivot) --high;
    if (low <= high) swap(values[low++], values[high--]);
  }
  if (left < high) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, stream>>>(values, left, high, depth + 1);
    cudaStreamDestroy(stream);
  }
  if (low < right) quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(values, low, right, depth + 1);
}

__global__ void add(int* values, int n, int amount) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] = values[i] * 10 + amount;
}

// A thread's launches run in order, and a tail launch runs at the end, after nested launches.
__global__ void nested(int* values, int n, int depth) {
  if (depth > 0) nested<<<1, 1>>>(values, n, depth - 1);
  add<<<(n + 31) / 32, 32>>>(values, n, depth);
}

__global__ void in_order(int* values, int n) {
  if (threadIdx.x != 0 || blockIdx.x != 0) return;
  add<<<1, n, 0, cudaStreamTailLaunch>>>(values, n, 9);
  nested<<<1, 1>>>(values, n, 2);
  add<<<1, n>>>(values, n, 3);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
}

struct Line {
  int* points;
  int n;
};

__global__ void draw(int* points, int n, int first) {
  if (threadIdx.x < n) points[threadIdx.x] = first + static_cast<int>(threadIdx.x);
}

// Each thread allocates memory and launches a kernel that fills it.
__global__ void prepare(Line* lines, int n_lines) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n_lines) return;
  lines[i].n = 4 * (i + 1);
  cudaMalloc(reinterpret_cast<void**>(&lines[i].points), lines[i].n * sizeof(int));
  draw<<<1, 32>>>(lines[i].points, lines[i].n, 100 * i);
}

__global__ void last_points(Line* lines, int* out) {
  const Line line = lines[threadIdx.x];
  out[threadIdx.x] = line.points[line.n - 1];
  cudaFree(line.points);
}

int main() {
  const int n = 200;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i * 7919 % 541;
  int* values;
  cudaMalloc(&values, n * sizeof(int));
  cudaMemcpy(values, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  quicksort<<<1, 1>>>(values, 0, n - 1, 0);
  expect(cudaDeviceSynchronize() == cudaSuccess, "the sort ends well");
  cudaMemcpy(host.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool is_sorted = true;
  for (int i = 1; i < n; ++i) is_sorted = is_sorted && host[i - 1] <= host[i];
  expect(is_sorted, "a sort that launches itself");

  cudaMemset(values, 0, n * sizeof(int));
  in_order<<<2, 32>>>(values, 40);
  cudaMemcpy(host.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost);
  expect(host[0] == 1239 && host[39] == 1239 && host[40] == 0, "launches follow each other");

  Line* lines;
  cudaMalloc(&lines, 5 * sizeof(Line));
  prepare<<<1, 32>>>(lines, 5);
  last_points<<<1, 5>>>(lines, values);
  cudaMemcpy(host.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 5; ++i) expect(host[i] == 100 * i + 4 * i + 3, "memory for a child");
  cudaFree(lines);
  cudaFree(values);
  if (n_failed == 0) std::puts("ok");
  return n_failed;
}
