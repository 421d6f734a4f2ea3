// Copies and fills in one, two and three dimensions, and the errors of invalid ones.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace {

class Copies : public testing::Test {
 protected:
  void SetUp() override {
    cudaMalloc(&device_, sizeof(int) * n);
    cudaMalloc(&other_, sizeof(int) * n);
    std::iota(host_.begin(), host_.end(), 1);
  }
  void TearDown() override {
    cudaFree(device_);
    cudaFree(other_);
    cudaGetLastError();
  }
  static constexpr std::size_t n = 24;
  static constexpr std::size_t bytes = n * sizeof(int);
  int *device_ = nullptr, *other_ = nullptr;
  std::vector<int> host_ = std::vector<int>(n), back_ = std::vector<int>(n);
};

TEST_F(Copies, RoundTripThroughTheDevice) {
  EXPECT_EQ(cudaMemcpy(device_, host_.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(other_, device_, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(back_.data(), other_, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back_, host_);
}

TEST_F(Copies, DefaultInfersTheDirection) {
  EXPECT_EQ(cudaMemcpy(device_, host_.data(), bytes, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(back_.data(), device_, bytes, cudaMemcpyDefault, cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(back_, host_);
}

TEST_F(Copies, OfZeroBytesSucceed) {
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemset(nullptr, 0, 0), cudaSuccess);
}

TEST_F(Copies, RejectTheWrongDirection) {
  EXPECT_EQ(cudaMemcpy(back_.data(), host_.data(), bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(back_.data(), host_.data(), bytes, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device_, other_, bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host_.data(), device_, bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device_, nullptr, bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host_.data(), 0, bytes), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device_, host_.data(), bytes, static_cast<cudaMemcpyKind>(9)), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(host_[0], 1) << "nothing was copied";
}

TEST_F(Copies, RejectRangesBeyondAnAllocation) {
  std::vector<int> longer(n + 1, 5);
  EXPECT_EQ(cudaMemcpy(device_, longer.data(), bytes + 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(longer.data(), device_ + 1, bytes, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(longer.data(), device_ + n, 4, cudaMemcpyDefault), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(device_, 0, bytes + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2D(device_, 24, host_.data(), 16, 16, 5, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(longer, std::vector<int>(n + 1, 5));
}

TEST_F(Copies, RejectFreedMemory) {
  int* gone = nullptr;
  cudaMalloc(&gone, bytes);
  cudaFree(gone);
  EXPECT_EQ(cudaMemcpy(back_.data(), gone, bytes, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(gone, 0, bytes), cudaErrorInvalidValue);
}

TEST_F(Copies, PinnedAndManagedMemoryBelongToBothSides) {
  int *pinned = nullptr, *managed = nullptr;
  cudaMallocHost(&pinned, bytes);
  cudaMallocManaged(&managed, bytes);
  EXPECT_EQ(cudaMemcpy(pinned, host_.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(managed, pinned, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(managed[5], 6);
  EXPECT_EQ(cudaMemset(pinned, 0, bytes), cudaSuccess);
  EXPECT_EQ(pinned[5], 0);
  cudaFreeHost(pinned);
  cudaFree(managed);
}

TEST_F(Copies, AcceptRegisteredMemoryAsDeviceMemory) {
  EXPECT_EQ(cudaMemset(back_.data(), 1, bytes), cudaErrorInvalidValue);
  cudaHostRegister(back_.data(), bytes, 0);
  EXPECT_EQ(cudaMemset(back_.data(), 1, bytes), cudaSuccess);
  cudaHostUnregister(back_.data());
  EXPECT_EQ(back_[0], 0x01010101);
}

TEST_F(Copies, RejectInvalidStreams) {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamDestroy(stream);
  EXPECT_EQ(cudaMemcpyAsync(device_, host_.data(), bytes, cudaMemcpyHostToDevice, stream),
            cudaErrorInvalidResourceHandle);
}

TEST_F(Copies, OfRowsSkipThePadding) {
  char* rows = nullptr;
  std::size_t pitch = 0;
  cudaMallocPitch(&rows, &pitch, 6 * sizeof(int), 4);
  cudaMemset2D(rows, pitch, 0xff, pitch, 4);
  EXPECT_EQ(cudaMemcpy2D(rows, pitch, host_.data(), 6 * sizeof(int), 5 * sizeof(int), 4, cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(cudaMemcpy2DAsync(back_.data(), 6 * sizeof(int), rows, pitch, 6 * sizeof(int), 4, cudaMemcpyDeviceToHost),
            cudaSuccess);
  for (int row = 0; row < 4; ++row) {
    EXPECT_EQ(back_[row * 6 + 4], row * 6 + 5);
    EXPECT_EQ(back_[row * 6 + 5], -1);
  }
  cudaFree(rows);
}

TEST_F(Copies, RejectRowsWiderThanTheirPitch) {
  EXPECT_EQ(cudaMemcpy2D(device_, 8, host_.data(), 16, 12, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2D(device_, 16, host_.data(), 8, 12, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
}

TEST_F(Copies, OfASubregion) {
  // host: 4 x 3 x 2 ints; the subregion of 2 x 2 x 2 at (1, 1, 0) becomes dense
  cudaMemcpy3DParms in{};
  in.srcPtr = make_cudaPitchedPtr(host_.data(), 4 * sizeof(int), 4, 3);
  in.srcPos = make_cudaPos(1 * sizeof(int), 1, 0);
  in.dstPtr = make_cudaPitchedPtr(device_, 2 * sizeof(int), 2, 2);
  in.extent = make_cudaExtent(2 * sizeof(int), 2, 2);
  in.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&in), cudaSuccess);
  std::vector<int> dense(8);
  cudaMemcpy(dense.data(), device_, 32, cudaMemcpyDeviceToHost);
  EXPECT_EQ(dense, (std::vector<int>{6, 7, 10, 11, 18, 19, 22, 23}));
  in.srcPos.x = 3 * sizeof(int);
  EXPECT_EQ(cudaMemcpy3DAsync(&in), cudaErrorInvalidPitchValue);
}

TEST_F(Copies, FillsInThreeDimensionsStayInTheirRegion) {
  cudaMemset(device_, 0, bytes);
  const cudaPitchedPtr volume = make_cudaPitchedPtr(device_, 4 * sizeof(int), 4, 3);
  ASSERT_EQ(cudaMemset3D(volume, 0xff, make_cudaExtent(2 * sizeof(int), 2, 2)), cudaSuccess);
  cudaMemcpy(back_.data(), device_, bytes, cudaMemcpyDeviceToHost);
  EXPECT_EQ(std::accumulate(back_.begin(), back_.end(), 0), -8);
  EXPECT_EQ(back_[5], -1);
  EXPECT_EQ(back_[2], 0);
  EXPECT_EQ(back_[8], 0);
}

}  // namespace
