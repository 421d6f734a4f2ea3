// Error names and descriptions, the last error, and the sticky error.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <thread>

namespace {

void trapping() { rafter_simt_trap(); }
void nothing() {}

cudaError_t fail() { return cudaSetDevice(7); }

class StickyError : public testing::Test {
 protected:
  void SetUp() override {
    cudaDeviceReset();
    lost_ = cudaLaunchKernel(trapping, dim3(1), dim3(1), nullptr);
  }
  void TearDown() override { cudaDeviceReset(); }
  cudaError_t lost_ = cudaSuccess;
};

TEST(Errors, HaveCudasNamesAndDescriptions) {
  EXPECT_STREQ(cudaGetErrorName(cudaSuccess), "cudaSuccess");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorAssert), "device-side assert triggered");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
  EXPECT_EQ(cudaErrorLaunchFailure, 719);
}

TEST(Errors, LastErrorIsKeptUntilCleared) {
  cudaDeviceReset();
  EXPECT_EQ(fail(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(Errors, LastErrorIsPerThread) {
  cudaDeviceReset();
  fail();
  cudaError_t elsewhere = cudaErrorUnknown;
  std::thread([&] { elsewhere = cudaGetLastError(); }).join();
  EXPECT_EQ(elsewhere, cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST(Errors, OfInvalidLaunchesAreNotSticky) {
  cudaDeviceReset();
  EXPECT_EQ(cudaLaunchKernel(nothing, dim3(1), dim3(2048), nullptr), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(StickyError, IsReturnedByEveryCall) {
  ASSERT_NE(lost_, cudaSuccess);
  void* memory = nullptr;
  int device = 0;
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaDeviceSynchronize(), lost_);
  EXPECT_EQ(cudaMalloc(&memory, 16), lost_);
  EXPECT_EQ(cudaGetDevice(&device), lost_);
  EXPECT_EQ(cudaEventCreate(&event), lost_);
  EXPECT_EQ(cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr), lost_);
  EXPECT_EQ(cudaGetLastError(), lost_);
  EXPECT_EQ(cudaGetLastError(), lost_) << "a sticky error is not cleared";
}

TEST_F(StickyError, IsReturnedInEveryThread) {
  cudaError_t elsewhere = cudaSuccess;
  std::thread([&] { elsewhere = cudaDeviceSynchronize(); }).join();
  EXPECT_EQ(elsewhere, lost_);
}

TEST_F(StickyError, IsClearedByReset) {
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr), cudaSuccess);
}

}  // namespace
