// nvcc: -rdc=true
// A function that launches one kernel from the host and another one from the device, as libraries do. The launches have the
// same place in the function and different arguments.
#include <cub/cub.cuh>
#include <cstdio>

__global__ void from_device(int* out, int value) { out[threadIdx.x] = value + threadIdx.x; }
__global__ void from_host(int* out, const char*, double value) { out[threadIdx.x] = int(value) * 100 + threadIdx.x; }

__host__ __device__ void dispatch(int* out) {
#ifdef __CUDA_ARCH__
  from_device<<<1, 4>>>(out, 7);
#else
  from_host<<<1, 4>>>(out, nullptr, 7.5);
#endif
}

__global__ void parent(int* out) { dispatch(out); }

/// An operator that CUB calls in its kernels.
struct AddSide {
  __host__ __device__ int operator()(int a, int b) const {
#ifdef __CUDA_ARCH__
    return a + b;
#else
    return a - b;
#endif
  }
};

int main() {
  int* out;
  cudaMallocManaged(&out, 5 * sizeof(int));
  bool right = true;
  dispatch(out);
  right = right && cudaDeviceSynchronize() == cudaSuccess && out[0] == 700 && out[3] == 703;
  parent<<<1, 1>>>(out);
  right = right && cudaDeviceSynchronize() == cudaSuccess && out[0] == 7 && out[3] == 10;
  std::size_t bytes = 0;
  cub::DeviceReduce::Reduce(nullptr, bytes, out, out + 4, 4, AddSide(), 0);
  void* storage;
  cudaMalloc(&storage, bytes);
  cub::DeviceReduce::Reduce(storage, bytes, out, out + 4, 4, AddSide(), 0);
  right = right && cudaDeviceSynchronize() == cudaSuccess && out[4] == 7 + 8 + 9 + 10;
  cudaFree(storage);
  cudaFree(out);
  std::printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}
