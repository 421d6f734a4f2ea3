// Streams and events.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace {

TEST(Streams, HaveFlagsAndPriorities) {
  cudaStream_t stream = nullptr;
  unsigned flags = 9;
  int priority = 9, least = 9, greatest = 9;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  EXPECT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 10), cudaSuccess);
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
  EXPECT_EQ(priority, greatest);
  EXPECT_LT(greatest, least);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(Streams, RejectDestroyedHandles) {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamDestroy(stream);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 77), cudaErrorInvalidValue);
  for (const cudaStream_t always : {cudaStream_t(nullptr), cudaStreamLegacy, cudaStreamPerThread})
    EXPECT_EQ(cudaStreamSynchronize(always), cudaSuccess);
  cudaGetLastError();
}

TEST(Streams, RunHostFunctions) {
  int calls = 0;
  EXPECT_EQ(cudaLaunchHostFunc(
                0, [](void* data) { ++*static_cast<int*>(data); }, &calls),
            cudaSuccess);
  EXPECT_EQ(
      cudaStreamAddCallback(
          0, [](cudaStream_t, cudaError_t status, void* data) { *static_cast<int*>(data) += status + 1; }, &calls, 0),
      cudaSuccess);
  EXPECT_EQ(calls, 2);
}

TEST(Events, MeasureWallTime) {
  cudaEvent_t start = nullptr, stop = nullptr;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&stop, cudaEventBlockingSync), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(start), cudaSuccess);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(cudaEventRecord(stop, 0), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(stop), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(stop), cudaSuccess);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, stop), cudaSuccess);
  EXPECT_GE(milliseconds, 20);  // at least the sleep
  EXPECT_EQ(cudaStreamWaitEvent(0, stop, 0), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(stop), cudaSuccess);
}

TEST(Events, WithoutTimingHaveNoElapsedTime) {
  cudaEvent_t timed = nullptr, untimed = nullptr, never = nullptr;
  cudaEventCreate(&timed);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  cudaEventCreate(&never);
  cudaEventRecord(timed);
  cudaEventRecord(untimed);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, timed, never), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, timed, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, timed, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, timed, timed), cudaSuccess);
  EXPECT_EQ(milliseconds, 0);
  for (const cudaEvent_t event : {timed, untimed, never}) cudaEventDestroy(event);
  EXPECT_EQ(cudaEventRecord(timed), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

}  // namespace
