// The device that programs see, and its limits.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <string>

extern "C" void rafter_simt_configure(const char* options);

namespace {

TEST(Device, IsTheOnlyOneAndHasProperties) {
  int count = 0, device = -1;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 0);
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_EQ(std::string(properties.name), "Rafter executor (CPU)");
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_EQ(properties.maxThreadsDim[2], 64);
  EXPECT_GT(properties.multiProcessorCount, 0);
  EXPECT_GT(properties.totalGlobalMem, 0u);
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  cudaGetLastError();
}

TEST(Device, AttributesMatchItsProperties) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  const auto attribute = [](cudaDeviceAttr which) {
    int value = -1;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, which, 0), cudaSuccess);
    return value;
  };
  EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), properties.multiProcessorCount);
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlock), 49152);
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), 232448);
  EXPECT_EQ(attribute(cudaDevAttrMaxThreadsPerMultiProcessor), 2048);
  EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMajor), 9);
  EXPECT_EQ(attribute(cudaDevAttrComputeMode), cudaComputeModeDefault);
  EXPECT_EQ(attribute(cudaDevAttrCooperativeLaunch), 1);
  EXPECT_EQ(attribute(cudaDevAttrClusterLaunch), 1);
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(5000), 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 3), cudaErrorInvalidDevice);
  cudaGetLastError();
}

TEST(Device, HasTheSharedMemoryOfTheEmulatedGpu) {
  const auto optin_bytes = [](const char* options) {
    rafter_simt_configure(options);
    int bytes = 0;
    EXPECT_EQ(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), cudaSuccess);
    return bytes;
  };
  EXPECT_EQ(optin_bytes("capability=80"), 163 << 10);
  EXPECT_EQ(optin_bytes("capability=120"), 99 << 10);
  EXPECT_EQ(optin_bytes("capability=90"), 227 << 10);
}

TEST(Device, StoresLimits) {
  std::size_t bytes = 0;
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 26), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(bytes, std::size_t{1} << 26);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4), cudaErrorUnsupportedLimit);
  cudaGetLastError();
}

TEST(Device, HasNoPeers) {
  int can_access = 1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can_access, 0, 0), cudaSuccess);
  EXPECT_EQ(can_access, 0);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice);
  int value = 7;
  EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, static_cast<cudaDeviceP2PAttr>(0), 0, 1), cudaErrorInvalidValue);
  EXPECT_EQ(value, 7);
  cudaGetLastError();
}

TEST(Device, VersionsMatchTheHeaders) {
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  EXPECT_EQ(driver, CUDART_VERSION);
  EXPECT_EQ(runtime, CUDART_VERSION);
}

TEST(DriverApi, AnswersQueriesOfRuntimePrograms) {
  int count = 0, warp = 0;
  CUdevice device = -1;
  char name[64];
  const char* text = nullptr;
  EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGetCount(&count), CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGet(&device, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGetName(name, sizeof name, device), CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device), CUDA_SUCCESS);
  EXPECT_EQ(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text), CUDA_SUCCESS);
  EXPECT_EQ(warp, 32);
  EXPECT_STREQ(text, "CUDA_ERROR_INVALID_VALUE");
}

}  // namespace
