// nvcc: --extended-lambda
// Functions for host and device that test __CUDA_ARCH__: host code runs one side of them, kernels the other. Kernels of every
// kind, and the variables that both sides share.
#include <cstdio>
#include <vector>

constexpr int on_device = 1, on_host = 2;

__host__ __device__ inline int side() {
#ifdef __CUDA_ARCH__
  return on_device;
#else
  return on_host;
#endif
}

__host__ __device__ int side_by_value() {
#if __CUDA_ARCH__ >= 700
  return on_device;
#elif defined(__CUDA_ARCH__)
  return 0;
#else
  return on_host;
#endif
}

#define IS_DEVICE defined(__CUDA_ARCH__) && \
    __CUDA_ARCH__ > 0
template <class T>
__host__ __device__ T side_as() {
#if IS_DEVICE
  return T(on_device);
#else
  return T(on_host);
#endif
}

struct Shape {
  __host__ __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int length;
  __host__ __device__ explicit Square(int n) : length(n + side()) {}
  __host__ __device__ int area() const override { return length * length + side(); }
};

// Functions with the same name and different code.
__constant__ int device_table[2] = {5, 6};
#ifdef __CUDA_ARCH__
__device__ int entry(int i) { return device_table[i]; }
#else
static int entry(int i) { return i == 0 ? 50 : 60; }
#endif
__host__ __device__ int second_entry() { return entry(1); }

// Declared for the device, defined for the host only: nothing on the device calls it.
#ifndef __CUDA_ARCH__
static int only_for_host(const std::vector<int>& list) { return static_cast<int>(list.size()); }
#else
static int only_for_host(const std::vector<int>& list);
#endif

__device__ int calls = 3;
static __device__ int squares[4];
__constant__ float scale;
__managed__ int managed = 7;
static __managed__ int hidden_managed = 1;

int n_initialised = 0;
struct Initialised {
  Initialised() { ++n_initialised; }
} initialised;
std::vector<int> list{1, 2, 3};

__global__ void sides(int* out) {
  const Square square(2);
  const Shape* shape = &square;
  out[threadIdx.x] = side() + 10 * side_by_value() + 100 * side_as<int>() + 1000 * second_entry() + 10000 * shape->area();
  atomicAdd(&calls, 1);
  squares[threadIdx.x] = threadIdx.x * threadIdx.x;
}

static __global__ void exchange(int* out, float x) {
  __shared__ int shared[4];
  shared[threadIdx.x] = side() + threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x ^ 1] + int(scale * x);
}

template <class F>
__global__ void apply(int* out, F f) { out[threadIdx.x] = f(threadIdx.x); }

namespace {
template <int N>
__global__ void add(int* out) { out[threadIdx.x] = N + side(); }
__global__ void increment_managed() {
#ifdef __CUDA_ARCH__
  managed += 1, hidden_managed += 10;
#endif
}
}

typedef int (*Function)(int);
__device__ int twice(int x) { return 2 * x * side(); }
__device__ Function of_device = twice;
__global__ void through_pointers(int* out, Function f) { out[threadIdx.x] = f(threadIdx.x) + of_device(1); }

/// An object whose copies are counted on the host and freed nowhere else.
struct Handle {
  int* data;
  int* n_copies;
  __host__ __device__ Handle(int* d, int* n) : data(d), n_copies(n) {}
  __host__ __device__ Handle(const Handle& other) : data(other.data), n_copies(other.n_copies) {
#ifndef __CUDA_ARCH__
    ++*n_copies;
#endif
  }
  __host__ __device__ ~Handle() {
#ifndef __CUDA_ARCH__
    --*n_copies;
#endif
  }
};
__global__ void take(Handle handle) {
  Handle copy = handle;
  copy.data[threadIdx.x] = 70 + threadIdx.x;
}

/// A launch of a kernel that is chosen at run time.
template <class Kernel>
void launch(Kernel kernel, int* out) { kernel<<<1, 4>>>(out); }

int n_wrong = 0;
void expect(const char* what, int found, int right) {
  if (found != right) std::printf("%s: %d instead of %d\n", what, found, right), ++n_wrong;
}
void expect_all(const char* what, const int* out, int first, int step) {
  expect(what, cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 4; ++i) expect(what, out[i], first + i * step);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 4 * sizeof(int));
  sides<<<1, 4>>>(out);
  expect_all("sides", out, 1 + 10 + 100 + 6000 + 10000 * 10, 0);
  const float two = 2;
  cudaMemcpyToSymbol(scale, &two, sizeof two);
  exchange<<<1, 4>>>(out, 50.f);
  expect("exchange", cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 4; ++i) expect("exchange", out[i], 101 + (i ^ 1));
  const int forty = 40;
  apply<<<1, 4>>>(out, [=] __device__(int i) { return i + forty + side(); });
  expect_all("device lambda", out, 41, 1);
  apply<<<1, 4>>>(out, [=] __host__ __device__(int i) { return 10 * i + side(); });
  expect_all("host device lambda", out, 1, 10);
  launch(add<5>, out);
  expect_all("chosen kernel", out, 6, 0);
  void (*kernels[])(int*) = {sides, add<30>};
  kernels[1]<<<1, 4>>>(out);
  expect_all("kernel in a table", out, 31, 0);
  void* arguments[] = {&out};
  cudaLaunchKernel((void*)add<60>, dim3(1), dim3(4), arguments, 0, 0);
  expect_all("cudaLaunchKernel", out, 61, 0);
  Function function;
  cudaMemcpyFromSymbol(&function, of_device, sizeof function);
  through_pointers<<<1, 4>>>(out, function);
  expect_all("pointers to device functions", out, 2, 2);
  int n_copies = 0;
  {
    Handle handle(out, &n_copies);
    take<<<1, 4>>>(handle);
    expect_all("object by value", out, 70, 1);
  }
  expect("copies", n_copies, -1);
  increment_managed<<<1, 1>>>();
  cudaDeviceSynchronize();
  expect("managed variables", managed + 100 * hidden_managed, 8 + 1100);

  int n_calls, on_host_squares[4];
  cudaMemcpyFromSymbol(&n_calls, calls, sizeof n_calls);
  cudaMemcpyFromSymbol(on_host_squares, squares, sizeof on_host_squares);
  expect("device variable", n_calls, 7);
  expect("static device variable", on_host_squares[3], 9);
  const Square square(2);
  const Shape* shape = &square;
  expect("host", side() + 10 * side_by_value() + 100 * side_as<int>() + 1000 * second_entry() + 100000 * shape->area(),
         2 + 20 + 200 + 60000 + 100000 * 18);
  expect("host only", only_for_host(list), 3);
  expect("initialisers", n_initialised, 1);
  cudaFree(out);
  std::printf(n_wrong == 0 ? "PASS\n" : "FAIL\n");
  return n_wrong == 0 ? 0 : 1;
}
