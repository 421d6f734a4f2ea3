// Device variables by name.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace {

__constant__ float coefficients[4];
__device__ int counter;
__device__ double* pointer;

TEST(Symbols, AcceptArraysScalarsAndPointers) {
  const float host[4] = {1, 2, 3, 4};
  const int one = 1;
  double value = 0, *address = &value;
  EXPECT_EQ(cudaMemcpyToSymbol(coefficients, host, sizeof(host)), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbol(counter, &one, sizeof one), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbol(pointer, &address, sizeof address, 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(coefficients[3], 4);
  EXPECT_EQ(counter, 1);
  EXPECT_EQ(pointer, address);
}

TEST(Symbols, AreCopiedInPart) {
  const float host[2] = {7, 8};
  EXPECT_EQ(cudaMemcpyToSymbolAsync(coefficients, host, sizeof host, 2 * sizeof(float), cudaMemcpyHostToDevice, 0),
            cudaSuccess);
  float back = 0;
  EXPECT_EQ(cudaMemcpyFromSymbol(&back, coefficients, sizeof back, 3 * sizeof(float)), cudaSuccess);
  EXPECT_EQ(back, 8);
}

TEST(Symbols, RejectInvalidCopies) {
  const float host[5] = {};
  EXPECT_EQ(cudaMemcpyToSymbol(coefficients, host, sizeof(host)), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(coefficients, host, sizeof(float), 4 * sizeof(float)), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(coefficients, host, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpyToSymbol(&counter, host, 4), cudaErrorInvalidSymbol) << "a pointer is not a symbol";
  cudaGetLastError();
}

TEST(Symbols, HaveAnAddressForCopies) {
  void* address = nullptr;
  std::size_t bytes = 0;
  const float host[4] = {9, 9, 9, 9};
  EXPECT_EQ(cudaMemcpy(&counter, host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue)
      << "a device variable's address is not a device pointer before the host requests it";
  EXPECT_EQ(cudaGetSymbolAddress(&address, coefficients), cudaSuccess);
  EXPECT_EQ(cudaGetSymbolSize(&bytes, coefficients), cudaSuccess);
  EXPECT_EQ(bytes, sizeof coefficients);
  EXPECT_EQ(cudaMemcpy(address, host, bytes, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(coefficients[0], 9);
  EXPECT_EQ(cudaMemset(address, 0, bytes + 1), cudaErrorInvalidValue);
  cudaGetLastError();
}

}  // namespace
