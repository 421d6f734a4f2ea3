// Kernels as arguments of API calls: launches without <<<>>>, attributes, occupancy.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace {

struct Pair {
  int a;
  double b;
};

__global__ void add(int* to, int n, float scale, Pair pair) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) to[i] = static_cast<int>(i * scale + pair.a + pair.b);
}

__global__ void mark(int* to) { *to = 1; }
__global__ void unseen(int*) {}

template <class Value>
__global__ void store(Value* to, Value value) {
  *to = value;
}

class Launches : public testing::Test {
 protected:
  void SetUp() override {
    cudaDeviceReset();
    cudaMallocManaged(&to_, 8 * sizeof(int));
  }
  void TearDown() override { cudaFree(to_); }
  int* to_ = nullptr;
};

TEST_F(Launches, UnpackTheirArguments) {
  int n = 8;
  float scale = 2;
  Pair pair{1, 0.5};
  void* arguments[] = {&to_, &n, &scale, &pair};
  EXPECT_EQ(cudaLaunchKernel(add, dim3(2), dim3(4), arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(to_[7], 15);
  scale = 3;
  EXPECT_EQ(cudaLaunchKernel((void*)add, dim3(2), dim3(4), arguments), cudaSuccess)
      << "its type is known from an earlier call";
  EXPECT_EQ(to_[7], 22);
}

TEST_F(Launches, AcceptTemplatesAndCooperativeKernels) {
  int value = 42;
  void* arguments[] = {&to_, &value};
  EXPECT_EQ(cudaLaunchCooperativeKernel(store<int>, 1, 1, arguments), cudaSuccess);
  EXPECT_EQ(to_[0], 42);
}

TEST_F(Launches, AcceptAKernelWhoseTypeIsKnown) {
  rafter_simt::know_kernel(mark);
  void* arguments[] = {&to_};
  const void* const kernel = (const void*)mark;
  EXPECT_EQ(cudaLaunchCooperativeKernel(kernel, dim3(1), dim3(1), arguments), cudaSuccess);
  EXPECT_EQ(to_[0], 1);
}

TEST_F(Launches, RejectAKernelOfUnknownType) {
  void* arguments[] = {&to_};
  EXPECT_EXIT(cudaLaunchKernel((void*)unseen, dim3(1), dim3(1), arguments), testing::ExitedWithCode(2), "cast to void");
}

TEST_F(Launches, AcceptAConfiguration) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(1);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  EXPECT_EQ(cudaLaunchKernelEx(&config, store<int>, to_, 5), cudaSuccess);
  EXPECT_EQ(to_[0], 5);
}

TEST_F(Launches, AcceptClustersThatDivideTheGrid) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(48, 2);
  config.blockDim = dim3(1);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const auto launch = [&](unsigned x, unsigned y, unsigned z) {
    attribute.val.clusterDim = {x, y, z};
    const cudaError_t status = cudaLaunchKernelEx(&config, store<int>, to_, 5);
    EXPECT_EQ(cudaGetLastError(), status);
    return status;
  };
  EXPECT_EQ(launch(4, 2, 1), cudaSuccess);
  EXPECT_EQ(launch(5, 1, 1), cudaErrorInvalidClusterSize) << "does not divide 48";
  EXPECT_EQ(launch(1, 1, 2), cudaErrorInvalidClusterSize) << "does not divide 1";
  EXPECT_EQ(launch(16, 1, 1), cudaErrorInvalidClusterSize) << "more than 8";
  EXPECT_EQ(launch(0, 1, 1), cudaErrorInvalidClusterSize);
  EXPECT_EQ(cudaFuncSetAttribute(store<int>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), cudaSuccess);
  EXPECT_EQ(launch(16, 1, 1), cudaSuccess);
  EXPECT_EQ(launch(24, 1, 1), cudaErrorInvalidClusterSize) << "more than 16";
  attribute.val.clusterDim = {2, 1, 1};
  int size = 0, clusters = 0;
  EXPECT_EQ(cudaOccupancyMaxPotentialClusterSize(&size, store<int>, &config), cudaSuccess);
  EXPECT_EQ(size, 16);
  EXPECT_EQ(cudaOccupancyMaxActiveClusters(&clusters, store<int>, &config), cudaSuccess);
  EXPECT_EQ(clusters, 16 * 32 / 2);
}

TEST(FunctionAttributes, LimitDynamicSharedMemory) {
  cudaDeviceReset();
  cudaFuncAttributes attributes{};
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, mark), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 49152);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  EXPECT_EQ(cudaFuncSetAttribute(mark, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(mark, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000), cudaSuccess);
  cudaFuncGetAttributes(&attributes, mark);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 100000);
  EXPECT_EQ(cudaFuncSetCacheConfig(store<float>, cudaFuncCachePreferL1), cudaSuccess);
  cudaDeviceReset();
}

int resident(int block_threads, std::size_t shared_bytes) {
  int blocks = -1;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, mark, block_threads, shared_bytes), cudaSuccess);
  return blocks;
}

TEST(Occupancy, IsLimitedByThreadsBlocksAndSharedMemory) {
  cudaDeviceReset();
  EXPECT_EQ(resident(1024, 0), 2);
  EXPECT_EQ(resident(33, 0), 32);
  EXPECT_EQ(resident(32, 0), 32);
  EXPECT_EQ(resident(256, 48 * 1024), 4);
  EXPECT_EQ(resident(256, 60 * 1024), 0) << "more than the kernel may have";
  EXPECT_EQ(resident(1025, 0), 0);
}

TEST(Occupancy, BestBlockFillsAMultiprocessor) {
  int grid = 0, block = 0, multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, mark), cudaSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 2 * multiprocessors);
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, mark, 0, 256), cudaSuccess);
  EXPECT_EQ(block, 256);
  const auto per_thread = [](int threads) { return std::size_t(threads) * 128; };
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, mark, per_thread), cudaSuccess);
  EXPECT_LE(block, 384) << "larger blocks request more than 48 KiB";
}

}  // namespace
