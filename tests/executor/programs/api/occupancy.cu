// Launch shapes from device queries: properties, attributes, occupancy and the suggested block size.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void __launch_bounds__(256) square(int* array, int count) {
  extern __shared__ int scratch[];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < count) {
    scratch[threadIdx.x] = array[i];
    array[i] = scratch[threadIdx.x] * scratch[threadIdx.x];
  }
}

__global__ void increment(int* array, int count) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < count) array[i] += 1;
}

static size_t shared_for(int block_size) { return block_size * sizeof(int); }

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 1) {
    std::printf("no device\n");
    return 2;
  }
  cudaSetDevice(0);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  std::printf("%s, compute capability %d.%d, %d multiprocessors, warp of %d\n", prop.name, prop.major, prop.minor,
              prop.multiProcessorCount, prop.warpSize);
  int bad = prop.warpSize != 32 || prop.maxThreadsPerBlock < 256 || prop.sharedMemPerBlock < 16384;

  int max_threads = 0, shared = 0;
  cudaDeviceGetAttribute(&max_threads, cudaDevAttrMaxThreadsPerBlock, 0);
  cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, 0);
  bad += max_threads != prop.maxThreadsPerBlock || (size_t)shared != prop.sharedMemPerBlock;

  size_t free_bytes = 0, total_bytes = 0;
  cudaMemGetInfo(&free_bytes, &total_bytes);
  bad += free_bytes == 0 || free_bytes > total_bytes;
  int runtime = 0, driver = 0;
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  bad += runtime < 11000 || driver < runtime / 1000 * 1000;

  const int count = 3001;
  std::vector<int> h(count), got(count);
  for (int i = 0; i < count; ++i) h[i] = i % 100;
  int* d;
  cudaMalloc(&d, count * sizeof(int));
  cudaMemcpy(d, h.data(), count * sizeof(int), cudaMemcpyHostToDevice);

  int min_grid = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSize(&min_grid, &block, increment, 0, 0);
  bad += block < 32 || block > max_threads || block % 32 != 0 || min_grid < 1;
  increment<<<(count + block - 1) / block, block>>>(d, count);

  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&min_grid, &block, square, shared_for, 256);
  bad += block < 32 || block > 256;
  int per_sm = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, square, block, shared_for(block));
  bad += per_sm < 1;
  double occupancy = double(per_sm * block / prop.warpSize) / (prop.maxThreadsPerMultiProcessor / prop.warpSize);
  bad += !(occupancy > 0 && occupancy <= 1);
  square<<<(count + block - 1) / block, block, shared_for(block)>>>(d, count);

  cudaMemcpy(got.data(), d, count * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i) bad += got[i] != (h[i] + 1) * (h[i] + 1);
  cudaFree(d);
  cudaDeviceReset();
  std::printf("occupancy: %d threads a block, %d bad\n", block, bad);
  return bad != 0;
}
