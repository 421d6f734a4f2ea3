// expect: clean
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void multiply(const half* a, float* c) {
  __shared__ half b[16 * 24];
  for (int i = threadIdx.x; i < 16 * 24; i += 32) b[i] = __float2half(1);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left; wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum; wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::load_matrix_sync(left, a + 16, 16);
  wmma::load_matrix_sync(right, b, 24);
  wmma::fill_fragment(sum, 0.0f); wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c + 8, sum, 16, wmma::mem_row_major);
}

int main() {
  half* a;
  float* c;
  cudaMalloc(&a, 512 * sizeof(half));
  cudaMalloc(&c, 512 * sizeof(float));
  cudaMemset(a, 0, 512 * sizeof(half));
  multiply<<<1, 32>>>(a, c);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(c);
}
