// Costs of the executor itself: per element of a kernel without barriers compared with a hand-written loop, per thread
// and barrier, per lane and shuffle, per checked access. Prints lines "NAME VALUE"; run it with --threads 1:
// plain_costs elementwise|barriers|shuffles|accesses
#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "expected.hpp"

__global__ void multiply_add(const float* a, const float* b, float c, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[i] * b[i] + c;
}

// The hand-written loop; not inlined, so that the compiler knows as little about the pointers as in the kernel.
__attribute__((noinline)) void multiply_add_loop(const float* a, const float* b, float c, float* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = a[i] * b[i] + c;
}

constexpr int n_barriers = 32;
__global__ void barriers(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i;
  for (int round = 0; round < n_barriers; ++round) {
    value = value * 3 + 1;
    __syncthreads();  // orders nothing: its own cost is measured
  }
  out[i] = value;
}

constexpr int n_shuffles = 40;
__global__ void shuffles(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i;
  for (int round = 0; round < n_shuffles; ++round) value += __shfl_down_sync(0xffffffff, value, 1 << round % 5);
  out[i] = value;
}

template <class T>
__global__ void copy(const T* in, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

constexpr int n_shared_accesses = 32;
__global__ void shared_accesses(float* out) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  for (int round = 0; round < n_shared_accesses / 2; ++round) {
    tile[t] = round;
    __syncthreads();  // the adjacent thread's value is written
    const float sum = tile[t ^ 1];
    __syncthreads();  // the value is read before it is overwritten
    if (round == n_shared_accesses / 2 - 1) out[blockIdx.x * blockDim.x + t] = sum;
  }
}

namespace {

constexpr int n_repetitions = 11;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Returns the median seconds of a call, after one unmeasured call that warms up memory and stacks.
double median_seconds(const std::function<void()>& run) {
  run();
  std::vector<double> seconds;
  for (int i = 0; i < n_repetitions; ++i) {
    const auto start = bench::Clock::now();
    run();
    cudaDeviceSynchronize();
    seconds.push_back(bench::seconds_since(start));
  }
  return median(seconds);
}

template <class T>
T* device_array(const std::vector<T>& values) {
  T* memory;
  cudaMalloc(&memory, sizeof(T) * values.size());
  cudaMemcpy(memory, values.data(), sizeof(T) * values.size(), cudaMemcpyHostToDevice);
  return memory;
}

template <class T>
std::vector<T> copy_back(const T* memory, std::size_t n) {
  std::vector<T> values(n);
  cudaMemcpy(values.data(), memory, sizeof(T) * n, cudaMemcpyDeviceToHost);
  return values;
}

void require(bool is_right, const char* what) {
  if (!is_right) bench::fail(what, 1);
}

// Kernel and loop alternate on the same managed arrays, so that both see the same memory and machine state.
void elementwise() {
  constexpr int n = 4 << 20;
  float* arrays[4];
  for (float*& array : arrays) cudaMallocManaged(&array, sizeof(float) * n);
  const auto& [a, b, by_kernel, by_hand] = arrays;
  for (int i = 0; i < n; ++i) a[i] = static_cast<float>(i % 11), b[i] = static_cast<float>(i % 7);
  std::vector<double> kernel, loop;
  for (int i = -1; i < n_repetitions; ++i) {  // -1 warms up
    const auto start = bench::Clock::now();
    multiply_add<<<n / 256, 256>>>(a, b, 3, by_kernel);
    cudaDeviceSynchronize();
    const double kernel_seconds = bench::seconds_since(start);
    const auto middle = bench::Clock::now();
    multiply_add_loop(a, b, 3, by_hand, n);
    const double loop_seconds = bench::seconds_since(middle);
    if (i < 0) continue;
    kernel.push_back(kernel_seconds);
    loop.push_back(loop_seconds);
  }
  require(std::equal(by_kernel, by_kernel + n, by_hand), "the elementwise kernel");
  std::printf("elementwise_kernel_ms %.3f\n", 1e3 * median(kernel));
  std::printf("elementwise_loop_ms %.3f\n", 1e3 * median(loop));
}

void synchronisation(const char* name, const std::vector<int>& blocks, int n_each, void (*kernel)(unsigned*)) {
  constexpr int n_threads = 1 << 16;
  unsigned* out = device_array(std::vector<unsigned>(n_threads));
  for (int block : blocks) {
    const double seconds = median_seconds([&] { kernel<<<n_threads / block, block>>>(out); });
    std::printf("%s_%d_ns %.2f\n", name, block, 1e9 * seconds / n_threads / n_each);
  }
  if (n_each != n_barriers) return;
  const std::vector<unsigned> values = copy_back(out, n_threads);
  for (unsigned i = 0; i < n_threads; ++i) {
    unsigned value = i;
    for (int round = 0; round < n_barriers; ++round) value = value * 3 + 1;
    require(values[i] == value, "the kernel with barriers");
  }
}

void accesses() {
  constexpr int n = 1 << 20, n_shared = 1 << 16;
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.0F);
  const float* in = device_array(values);
  float* out = device_array(std::vector<float>(n));
  const double global = median_seconds([&] { copy<<<n / 256, 256>>>(in, out); });
  require(copy_back(out, n) == values, "the copy");
  const double shared = median_seconds([&] { shared_accesses<<<n_shared / 256, 256>>>(out); });
  require(copy_back(out, n_shared) == std::vector<float>(n_shared, n_shared_accesses / 2 - 1),
          "the kernel in shared memory");
  const std::vector<signed char> chars(n, 7);
  const signed char* chars_in = device_array(chars);
  signed char* chars_out = device_array(std::vector<signed char>(n));
  const double bytes = median_seconds([&] { copy<<<n / 256, 256>>>(chars_in, chars_out); });
  require(copy_back(chars_out, n) == chars, "the copy of chars");
  std::printf("access_global_ns %.2f\n", 1e9 * global / n / 2);
  std::printf("access_bytes_ns %.2f\n", 1e9 * bytes / n / 2);
  std::printf("access_shared_ns %.2f\n", 1e9 * shared / n_shared / n_shared_accesses);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "elementwise") {
    elementwise();
  } else if (what == "barriers") {
    synchronisation("barrier", {32, 256, 1024}, n_barriers, barriers);
  } else if (what == "shuffles") {
    synchronisation("shuffle", {256}, n_shuffles, shuffles);
  } else if (what == "accesses") {
    accesses();
  } else {
    bench::fail("expected elementwise, barriers, shuffles or accesses; it", 2);
  }
}
