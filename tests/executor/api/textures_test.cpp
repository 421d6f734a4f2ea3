// CUDA arrays, and texture and surface objects: properties, copies, and the errors of invalid ones.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();

class CudaArrays : public testing::Test {
 protected:
  void SetUp() override { std::iota(host_.begin(), host_.end(), 1.0f); }
  void TearDown() override {
    cudaFreeArray(array_);
    cudaGetLastError();
  }
  cudaResourceDesc resource() const {
    cudaResourceDesc all{};
    all.resType = cudaResourceTypeArray;
    all.res.array.array = array_;
    return all;
  }
  cudaArray_t array_ = nullptr;
  std::vector<float> host_ = std::vector<float>(24), back_ = std::vector<float>(24);
};

TEST_F(CudaArrays, ReturnTheirProperties) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  ASSERT_EQ(cudaMalloc3DArray(&array_, &format, make_cudaExtent(5, 0, 7), cudaArrayLayered), cudaSuccess);
  cudaChannelFormatDesc got{};
  cudaExtent extent{};
  unsigned flags = 0;
  EXPECT_EQ(cudaArrayGetInfo(&got, &extent, &flags, array_), cudaSuccess);
  EXPECT_EQ(got.w, 8);
  EXPECT_EQ(got.f, cudaChannelFormatKindUnsigned);
  EXPECT_EQ(extent.width, 5U);
  EXPECT_EQ(extent.height, 0U);
  EXPECT_EQ(extent.depth, 7U);
  EXPECT_EQ(flags, unsigned{cudaArrayLayered});
  EXPECT_EQ(cudaGetChannelDesc(&got, array_), cudaSuccess);
}

TEST_F(CudaArrays, RequireAValidShape) {
  const cudaChannelFormatDesc three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  EXPECT_EQ(cudaMallocArray(&array_, &three, 4, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(&array_, &floats, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(nullptr, &floats, 4, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array_, &floats, make_cudaExtent(4, 5, 6), cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array_, &floats, make_cudaExtent(4, 4, 5), cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array_, &floats, make_cudaExtent(4, 0, 6), 0), cudaErrorInvalidValue);
}

TEST_F(CudaArrays, AreCopiedByRows) {
  ASSERT_EQ(cudaMallocArray(&array_, &floats, 6, 4), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2DToArray(array_, 0, 0, host_.data(), 24, 24, 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2DFromArray(back_.data(), 24, array_, 0, 0, 24, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back_, host_);
  float corner[2] = {};
  EXPECT_EQ(cudaMemcpy2DFromArray(corner, 4, array_, 20, 2, 4, 2, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(corner[0], 18.0f);
  EXPECT_EQ(corner[1], 24.0f);
  EXPECT_EQ(cudaMemcpy2DToArray(array_, 4, 0, host_.data(), 24, 24, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array_, 0, 1, host_.data(), 24, 24, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array_, 0, 0, host_.data(), 20, 24, 4, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
}

TEST_F(CudaArrays, AreCopiedFromRowToRow) {
  ASSERT_EQ(cudaMallocArray(&array_, &floats, 6, 4), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToArray(array_, 0, 0, host_.data(), 96, cudaMemcpyHostToDevice), cudaSuccess);
  float three[3] = {};
  EXPECT_EQ(cudaMemcpyFromArray(three, array_, 20, 0, 12, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(three[0], 6.0f);
  EXPECT_EQ(three[2], 8.0f);
  EXPECT_EQ(cudaMemcpyToArray(array_, 4, 3, host_.data(), 24, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  cudaArray_t other = nullptr;
  ASSERT_EQ(cudaMallocArray(&other, &floats, 4, 6), cudaSuccess);
  EXPECT_EQ(cudaMemcpyArrayToArray(other, 0, 0, array_, 0, 0, 96), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromArrayAsync(back_.data(), other, 0, 0, 96, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back_, host_);
  EXPECT_EQ(cudaMemcpy2DArrayToArray(other, 0, 0, array_, 8, 1, 8, 2), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromArray(three, other, 16, 0, 8, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(three[0], 15.0f);
  cudaFreeArray(other);
}

TEST_F(CudaArrays, AreCopiedByGraphs) {
  ASSERT_EQ(cudaMallocArray(&array_, &floats, 6, 4), cudaSuccess);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  float* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 96), cudaSuccess);
  std::copy(host_.begin(), host_.end(), pinned);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2DToArrayAsync(array_, 0, 0, pinned, 24, 24, 4, cudaMemcpyHostToDevice, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  pinned[23] = 99;  // the graph copies the contents at its launch
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2DFromArray(back_.data(), 24, array_, 0, 0, 24, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back_[0], 1.0f);
  EXPECT_EQ(back_[23], 99.0f);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFreeHost(pinned);
}

TEST_F(CudaArrays, OfThreeDimensionsAreCopiedByTexels) {
  ASSERT_EQ(cudaMalloc3DArray(&array_, &floats, make_cudaExtent(4, 3, 2)), cudaSuccess);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(host_.data(), 16, 4, 3);
  copy.dstArray = array_;
  copy.extent = make_cudaExtent(4, 3, 2);
  copy.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  cudaMemcpy3DParms part{};
  part.srcArray = array_;
  part.srcPos = make_cudaPos(1, 1, 1);
  part.dstPtr = make_cudaPitchedPtr(back_.data(), 8, 2, 2);
  part.extent = make_cudaExtent(2, 2, 1);
  part.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaMemcpy3DAsync(&part), cudaSuccess);
  EXPECT_EQ(back_[0], 18.0f);
  EXPECT_EQ(back_[3], 23.0f);
  part.srcPos.x = 3;
  EXPECT_EQ(cudaMemcpy3D(&part), cudaErrorInvalidValue);
  part.srcPtr = copy.srcPtr;  // two sources
  EXPECT_EQ(cudaMemcpy3D(&part), cudaErrorInvalidValue);
}

TEST_F(CudaArrays, OfMipmapsAreOwnedByThem) {
  cudaMipmappedArray_t mipmap = nullptr;
  ASSERT_EQ(cudaMallocMipmappedArray(&mipmap, &floats, make_cudaExtent(8, 4, 0), 20), cudaSuccess);
  cudaExtent extent{};
  cudaArray_t level = nullptr;
  EXPECT_EQ(cudaGetMipmappedArrayLevel(&level, mipmap, 3), cudaSuccess);
  EXPECT_EQ(cudaArrayGetInfo(nullptr, &extent, nullptr, level), cudaSuccess);
  EXPECT_EQ(extent.width, 1U);
  EXPECT_EQ(extent.height, 1U);
  EXPECT_EQ(cudaGetMipmappedArrayLevel(&level, mipmap, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeArray(level), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeMipmappedArray(mipmap), cudaSuccess);
  EXPECT_EQ(cudaFreeMipmappedArray(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(nullptr), cudaSuccess);
}

TEST_F(CudaArrays, AreResourcesOfTextureObjects) {
  ASSERT_EQ(cudaMallocArray(&array_, &floats, 6, 4), cudaSuccess);
  const cudaResourceDesc made_of = resource();
  cudaTextureDesc how{};
  how.filterMode = cudaFilterModeLinear;
  how.borderColor[2] = 3;
  cudaTextureObject_t texture = 0;
  ASSERT_EQ(cudaCreateTextureObject(&texture, &made_of, &how, nullptr), cudaSuccess);
  cudaResourceDesc got{};
  cudaTextureDesc got_how{};
  EXPECT_EQ(cudaGetTextureObjectResourceDesc(&got, texture), cudaSuccess);
  EXPECT_EQ(got.res.array.array, array_);
  EXPECT_EQ(cudaGetTextureObjectTextureDesc(&got_how, texture), cudaSuccess);
  EXPECT_EQ(got_how.borderColor[2], 3.0f);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  EXPECT_EQ(cudaGetTextureObjectTextureDesc(&got_how, texture), cudaErrorInvalidValue);
}

TEST_F(CudaArrays, OfIntegersRejectLinearFiltering) {
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
  ASSERT_EQ(cudaMallocArray(&array_, &bytes, 6, 4), cudaSuccess);
  const cudaResourceDesc made_of = resource();
  cudaTextureDesc how{};
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &made_of, &how, nullptr), cudaErrorInvalidFilterSetting);
  how.readMode = cudaReadModeNormalizedFloat;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &made_of, &how, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
}

TEST_F(CudaArrays, Of32BitIntegersRejectNormalisation) {
  const cudaChannelFormatDesc words = cudaCreateChannelDesc<int>();
  ASSERT_EQ(cudaMallocArray(&array_, &words, 6, 4), cudaSuccess);
  const cudaResourceDesc made_of = resource();
  cudaTextureDesc how{};
  how.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t texture = 0;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &made_of, &how, nullptr), cudaErrorInvalidNormSetting);
}

TEST_F(CudaArrays, CanBeSurfaces) {
  ASSERT_EQ(cudaMallocArray(&array_, &floats, 6, 4, cudaArraySurfaceLoadStore), cudaSuccess);
  const cudaResourceDesc made_of = resource();
  cudaSurfaceObject_t surface = 0;
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, &made_of), cudaSuccess);
  cudaResourceDesc got{};
  EXPECT_EQ(cudaGetSurfaceObjectResourceDesc(&got, surface), cudaSuccess);
  EXPECT_EQ(got.res.array.array, array_);
  cudaTextureDesc how{};
  EXPECT_EQ(cudaGetTextureObjectTextureDesc(&how, surface), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
}

TEST(LinearTextures, MustBeAlignedAndWithinBounds) {
  float* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 4096), cudaSuccess);
  cudaResourceDesc linear{};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = data;
  linear.res.linear.desc = floats;
  linear.res.linear.sizeInBytes = 1024;
  const cudaTextureDesc how{};
  cudaTextureObject_t texture = 0;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &linear, &how, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  linear.res.linear.devPtr = data + 1;
  EXPECT_NE(cudaCreateTextureObject(&texture, &linear, &how, nullptr), cudaSuccess);
  float host[4];
  linear.res.linear.devPtr = host;
  EXPECT_NE(cudaCreateTextureObject(&texture, &linear, &how, nullptr), cudaSuccess);
  cudaFree(data);
  cudaGetLastError();
}

}  // namespace
