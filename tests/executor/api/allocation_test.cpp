// Allocation of device, managed and pinned memory, and the attributes of pointers.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

TEST(Malloc, TakesPointersOfAnyType) {
  float* floats = nullptr;
  const int* ints = nullptr;
  void* bytes = nullptr;
  EXPECT_EQ(cudaMalloc(&floats, 100 * sizeof(float)), cudaSuccess);
  EXPECT_EQ(cudaMalloc((void**)&ints, 40), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&bytes, 1), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(floats) % 256, 0u);
  EXPECT_EQ(cudaFree(floats), cudaSuccess);
  EXPECT_EQ(cudaFree((void*)ints), cudaSuccess);
  EXPECT_EQ(cudaFree(bytes), cudaSuccess);
}

TEST(Malloc, ReturnsNullForZeroBytes) {
  int* memory = reinterpret_cast<int*>(16);
  EXPECT_EQ(cudaMalloc(&memory, 0), cudaSuccess);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess);
}

TEST(Malloc, ReportsOutOfMemory) {
  char* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, std::size_t{1} << 60), cudaErrorMemoryAllocation);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc((void**)nullptr, 4), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Free, RejectsForeignPointers) {
  int *device = nullptr, *pinned = nullptr, host = 0;
  cudaMalloc(&device, 16);
  cudaMallocHost(&pinned, 16);
  EXPECT_EQ(cudaFree(&host), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  cudaGetLastError();
}

TEST(Malloc, ManagedRejectsZeroBytesAndBadFlags) {
  int* memory = nullptr;
  EXPECT_EQ(cudaMallocManaged(&memory, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocManaged(&memory, 4, 77), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocManaged(&memory, 4), cudaSuccess);
  *memory = 3;
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  cudaGetLastError();
}

TEST(Malloc, PitchedRowsBeginAtMultiplesOf512) {
  float* rows = nullptr;
  std::size_t pitch = 0;
  EXPECT_EQ(cudaMallocPitch(&rows, &pitch, 100 * sizeof(float), 7), cudaSuccess);
  EXPECT_EQ(pitch, 512u);
  cudaPitchedPtr volume{};
  EXPECT_EQ(cudaMalloc3D(&volume, make_cudaExtent(600, 3, 2)), cudaSuccess);
  EXPECT_EQ(volume.pitch, 1024u);
  EXPECT_EQ(volume.xsize, 600u);
  EXPECT_EQ(volume.ysize, 3u);
  EXPECT_EQ(cudaFree(rows), cudaSuccess);
  EXPECT_EQ(cudaFree(volume.ptr), cudaSuccess);
}

TEST(Malloc, ReducesFreeMemory) {
  std::size_t before = 0, during = 0, total = 0;
  char* memory = nullptr;
  cudaMemGetInfo(&before, &total);
  cudaMalloc(&memory, 1 << 20);
  cudaMemGetInfo(&during, &total);
  EXPECT_LE(during + (1 << 20), before);
  EXPECT_LE(before, total);
  cudaFree(memory);
}

TEST(Malloc, AsyncAllocatesFromPool) {
  cudaMemPool_t pool = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  std::uint64_t threshold = 123, back = 0;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &back), cudaSuccess);
  EXPECT_EQ(back, threshold);
  float *from_stream = nullptr, *from_pool = nullptr;
  EXPECT_EQ(cudaMallocAsync(&from_stream, 64, 0), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&from_pool, 64, pool, 0), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(from_stream, 0), cudaSuccess);
  EXPECT_EQ(cudaFree(from_pool), cudaSuccess);
}

TEST(Pinned, ReturnsItsFlags) {
  float* memory = nullptr;
  unsigned flags = 0;
  EXPECT_EQ(cudaHostAlloc(&memory, 256, cudaHostAllocPortable), cudaSuccess);
  EXPECT_EQ(cudaHostGetFlags(&flags, memory), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaHostAllocPortable | cudaHostAllocMapped});
  float* view = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&view, memory, 0), cudaSuccess);
  EXPECT_EQ(view, memory);
  EXPECT_EQ(cudaFreeHost(memory), cudaSuccess);
}

TEST(Registered, MayNotOverlap) {
  std::vector<float> host(1000);
  EXPECT_EQ(cudaHostRegister(host.data(), 4000, cudaHostRegisterDefault), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(host.data() + 10, 40, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostUnregister(host.data() + 10), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaHostUnregister(host.data()), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(host.data()), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaHostRegister(nullptr, 4, 0), cudaErrorInvalidValue);
  cudaGetLastError();
}

cudaMemoryType type_of(const void* address) {
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, address), cudaSuccess);
  return attributes.type;
}

TEST(Pointers, HaveAttributes) {
  char *device = nullptr, *managed = nullptr, *pinned = nullptr, host = 0;
  cudaMalloc(&device, 100);
  cudaMallocManaged(&managed, 100);
  cudaMallocHost(&pinned, 100);
  EXPECT_EQ(type_of(device + 50), cudaMemoryTypeDevice);
  EXPECT_EQ(type_of(managed + 99), cudaMemoryTypeManaged);
  EXPECT_EQ(type_of(pinned), cudaMemoryTypeHost);
  EXPECT_EQ(type_of(&host), cudaMemoryTypeUnregistered);
  cudaFree(device);
  cudaFree(managed);
  cudaFreeHost(pinned);
  EXPECT_EQ(type_of(device), cudaMemoryTypeUnregistered);
}

TEST(Advice, RequiresManagedMemory) {
  char *managed = nullptr, *device = nullptr;
  cudaMallocManaged(&managed, 100);
  cudaMalloc(&device, 100);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 100, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 100, cudaCpuDeviceId, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 100, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(managed, 100, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(managed, 100, cudaMemAdviseSetPreferredLocation, cudaMemLocation{cudaMemLocationTypeHost, 0}),
            cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 101, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 100, 5), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPrefetchAsync(device, 100, 0), cudaErrorInvalidValue);
  cudaFree(managed);
  cudaFree(device);
  cudaGetLastError();
}

}  // namespace
