// Kernels without synchronisation, in every form that the executor may run as a loop over a block's threads: all kinds
// of guards, arguments that a thread changes, three-dimensional blocks, functions, templates and variables around them.
// Each result is compared with the host's result for every thread.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define LIMIT 200

__constant__ int offsets[4];
__device__ int scale_of_all = 3;

struct Affine {
  int slope, intercept;
  __host__ __device__ int operator()(int x) const { return slope * x + intercept; }
};

__device__ int twice(int x) { return 2 * x; }
__device__ __forceinline__ int twice_plus(int x, int y) { return twice(x) + y; }

__global__ void whole(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + 7 * blockIdx.x; }

__global__ void returns_early(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = twice_plus(i, 1);
}

__global__ void returns_twice(int* out, int n, int first) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n) { return; }
  int k = i - first;
  if (k < 0) return;
  out[i] = k;
}

__global__ void guarded_block(int* out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (i % 3 == 0) return;
    out[i] = i;
  }
}

__global__ void odd_ones(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 1 && i < n) out[i] = i;
}

__global__ void up_to_a_macro(int* out) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < LIMIT) out[i] = 5;
}

__global__ void changes_arguments(int* out, int n, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out += i;
  while (n > i) n -= step;
  *out = n;
}

__global__ void of_an_image(int* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  out[y * width + x] = 100 * y + x;
}

__global__ void of_a_volume(int* out, dim3 size) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < size.x && y < size.y && z < size.z) out[(z * size.y + y) * size.x + x] = 10000 * z + 100 * y + x;
}

__global__ void strides(int* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] += offsets[i % 4];
}

__global__ void reads_variables(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) out[i] += scale_of_all * offsets[k];
}

template <class T, int factor>
__global__ void of_a_template(T* out, const T* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}

template <class F>
__global__ void of_a_functor(int* out, F f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(i);
}

template <class... Ints>
__global__ void of_a_pack(int* out, Ints... values) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = (0 + ... + values) + threadIdx.x;
}

namespace outer {
namespace inner {
__global__ void in_a_namespace(int* out) { out[threadIdx.x] = blockDim.x - threadIdx.x; }
}  // namespace inner
}  // namespace outer

struct Holder {
  static __global__ void kernel(int* out) { out[blockIdx.x * 50 + threadIdx.x] = gridDim.x; }
};

/// Updates each element of one array in place.
__global__ void in_place(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = values[i];
  values[i] = x > 2 ? x * 0.5f : x + 1;
}

using Value = std::function<int(int)>;

void fail(const char* what, int i, int value, int wanted) {
  std::printf("%s: element %d is %d instead of %d\n", what, i, value, wanted);
  std::exit(1);
}

constexpr int size = 1 << 12;

template <class Launch>
void expect(const char* what, Launch launch, const Value& wanted) {
  int* out;
  std::vector<int> values(size, -1);
  cudaMalloc(&out, sizeof(int) * size);
  cudaMemcpy(out, values.data(), sizeof(int) * size, cudaMemcpyHostToDevice);
  launch(out);
  if (const cudaError_t error = cudaDeviceSynchronize()) fail(what, 0, error, 0);
  cudaMemcpy(values.data(), out, sizeof(int) * size, cudaMemcpyDeviceToHost);
  for (int i = 0; i < size; ++i) {
    if (values[i] != wanted(i)) fail(what, i, values[i], wanted(i));
  }
  cudaFree(out);
}

int main() {
  const int four[4] = {1, 20, 300, 4000};
  cudaMemcpyToSymbol(offsets, four, sizeof four);
  const auto below = [](int n, Value value) -> Value { return [=](int i) { return i < n ? value(i) : -1; }; };

  expect("whole", [](int* out) { whole<<<4, 96>>>(out); }, below(384, [](int i) { return i % 96 + 7 * (i / 96); }));
  for (int n : {0, 1, 31, 96, 97, 191, 192, 500}) {
    const auto blocks = n / 64 + 1;
    expect("returns_early", [&](int* out) { returns_early<<<blocks, 64>>>(out, n); },
           below(n, [](int i) { return 2 * i + 1; }));
    expect("returns_twice", [&](int* out) { returns_twice<<<blocks, 64>>>(out, n, 70); },
           below(n, [](int i) { return i < 70 ? -1 : i - 70; }));
    expect("guarded_block", [&](int* out) { guarded_block<<<blocks, 64>>>(out, n); },
           below(n, [](int i) { return i % 3 == 0 ? -1 : i; }));
    expect("odd_ones", [&](int* out) { odd_ones<<<blocks, 64>>>(out, n); },
           below(n, [](int i) { return i % 2 == 1 ? i : -1; }));
    expect("changes_arguments", [&](int* out) { changes_arguments<<<blocks, 64>>>(out, n, 7); }, below(n, [n](int i) {
             int left = n;
             while (left > i) left -= 7;
             return left;
           }));
    expect("of_a_functor", [&](int* out) { of_a_functor<<<blocks, 64>>>(out, Affine{3, 4}, n); },
           below(n, [](int i) { return 3 * i + 4; }));
    expect("strides", [&](int* out) { strides<<<2, 16>>>(out, n); }, below(n, [&](int i) { return four[i % 4] - 1; }));
  }
  expect("up_to_a_macro", [](int* out) { up_to_a_macro<<<4, 100>>>(out); }, below(LIMIT, [](int) { return 5; }));
  expect("of_an_image", [](int* out) { of_an_image<<<dim3(3, 4), dim3(16, 8)>>>(out, 37, 29); },
         below(37 * 29, [](int i) { return 100 * (i / 37) + i % 37; }));
  expect("of_a_volume", [](int* out) { of_a_volume<<<dim3(2, 2, 3), dim3(8, 4, 2)>>>(out, dim3(13, 7, 5)); },
         below(13 * 7 * 5, [](int i) { return 10000 * (i / 91) + 100 * (i / 13 % 7) + i % 13; }));
  expect("reads_variables", [](int* out) { reads_variables<<<2, 33>>>(out); },
         below(66, [](int) { return 3 * 4321 - 1; }));
  expect("of_a_pack", [](int* out) { of_a_pack<<<1, 40>>>(out, 1, 2, 3); }, below(40, [](int i) { return 6 + i; }));
  expect("in_a_namespace", [](int* out) { outer::inner::in_a_namespace<<<1, 50>>>(out); },
         below(50, [](int i) { return 50 - i; }));
  expect("of_a_class", [](int* out) { Holder::kernel<<<7, 50>>>(out); }, below(350, [](int) { return 7; }));
  expect("of_a_template", [](int* out) {
    short *in, *doubled;
    std::vector<short> numbers(300);
    for (int i = 0; i < 300; ++i) numbers[i] = i;
    cudaMalloc(&in, 600);
    cudaMalloc(&doubled, 600);
    cudaMemcpy(in, numbers.data(), 600, cudaMemcpyHostToDevice);
    of_a_template<short, 2><<<3, 128>>>(doubled, in, 300);
    cudaMemcpy(numbers.data(), doubled, 600, cudaMemcpyDeviceToHost);
    std::vector<int> wide(numbers.begin(), numbers.end());
    cudaMemcpy(out, wide.data(), 1200, cudaMemcpyHostToDevice);
    cudaFree(in);
    cudaFree(doubled);
  }, below(300, [](int i) { return 2 * i; }));
  expect("in_place", [](int* out) {
    std::vector<float> numbers(1000);
    for (int i = 0; i < 1000; ++i) numbers[i] = static_cast<float>(i % 5);
    float* values;
    cudaMalloc(&values, 4000);
    cudaMemcpy(values, numbers.data(), 4000, cudaMemcpyHostToDevice);
    in_place<<<8, 128>>>(values, 1000);
    cudaMemcpy(numbers.data(), values, 4000, cudaMemcpyDeviceToHost);
    std::vector<int> doubled(1000);
    for (int i = 0; i < 1000; ++i) doubled[i] = static_cast<int>(2 * numbers[i]);
    cudaMemcpy(out, doubled.data(), 4000, cudaMemcpyHostToDevice);
    cudaFree(values);
  }, below(1000, [](int i) { return i % 5 > 2 ? i % 5 : 2 * (i % 5) + 2; }));
  std::printf("all loops are right\n");
}
