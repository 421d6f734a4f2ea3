// Half x half -> float GEMM on tensor cores, one warp per 16x16 tile; D = alpha*A*B + beta*C.
#include <cuda_fp16.h>
#include <mma.h>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace nvcuda;

const int WMMA_M = 16;
const int WMMA_N = 16;
const int WMMA_K = 16;

__global__ void wmma_gemm(const half *a, const half *b, float *c, int M, int N, int K, float alpha, float beta) {
  int warpM = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  int warpN = blockIdx.y * blockDim.y + threadIdx.y;

  wmma::fragment<wmma::matrix_a, WMMA_M, WMMA_N, WMMA_K, half, wmma::row_major> a_frag;
  wmma::fragment<wmma::matrix_b, WMMA_M, WMMA_N, WMMA_K, half, wmma::col_major> b_frag;
  wmma::fragment<wmma::accumulator, WMMA_M, WMMA_N, WMMA_K, float> acc_frag;
  wmma::fragment<wmma::accumulator, WMMA_M, WMMA_N, WMMA_K, float> c_frag;
  wmma::fill_fragment(acc_frag, 0.0f);

  int row = warpM * WMMA_M, col = warpN * WMMA_N;
  if (row >= M || col >= N) return;

  for (int k = 0; k < K; k += WMMA_K) {
    wmma::load_matrix_sync(a_frag, a + row * K + k, K);
    wmma::load_matrix_sync(b_frag, b + col * K + k, K);
    wmma::mma_sync(acc_frag, a_frag, b_frag, acc_frag);
  }
  wmma::load_matrix_sync(c_frag, c + row * N + col, N, wmma::mem_row_major);
  for (int i = 0; i < c_frag.num_elements; i++) c_frag.x[i] = alpha * acc_frag.x[i] + beta * c_frag.x[i];
  wmma::store_matrix_sync(c + row * N + col, c_frag, N, wmma::mem_row_major);
}

int main() {
  const int M = 48, N = 80, K = 64;
  const float alpha = 1.5f, beta = -0.5f;
  std::vector<half> a(M * K), b(N * K);
  std::vector<float> c(M * N), got(M * N);
  for (int i = 0; i < M * K; i++) a[i] = __float2half(float(i * 5 % 17 - 8) / 8);
  for (int i = 0; i < N * K; i++) b[i] = __float2half(float(i * 3 % 13 - 6) / 4);
  for (int i = 0; i < M * N; i++) c[i] = float(i % 9);

  half *d_a, *d_b;
  float *d_c;
  cudaMalloc((void **)&d_a, a.size() * sizeof(half));
  cudaMalloc((void **)&d_b, b.size() * sizeof(half));
  cudaMalloc((void **)&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(d_c, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);

  dim3 blockDim(64, 2);
  dim3 gridDim((M + 2 * WMMA_M - 1) / (2 * WMMA_M), (N + 2 * WMMA_N - 1) / (2 * WMMA_N));
  wmma_gemm<<<gridDim, blockDim>>>(d_a, d_b, d_c, M, N, K, alpha, beta);
  cudaError_t err = cudaDeviceSynchronize();
  if (err != cudaSuccess) {
    printf("wmma_gemm: %s\n", cudaGetErrorString(err));
    return 2;
  }
  cudaMemcpy(got.data(), d_c, got.size() * sizeof(float), cudaMemcpyDeviceToHost);

  double worst = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < K; k++) sum += double(__half2float(a[i * K + k])) * __half2float(b[j * K + k]);
      double e = std::fabs(got[i * N + j] - (alpha * sum + beta * c[i * N + j]));
      if (!(e < 1e-3)) {
        printf("wmma_gemm: (%d, %d) is off by %g\n", i, j, e);
        return 1;
      }
      worst = std::fmax(worst, e);
    }
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  printf("wmma_gemm: worst error %.3g\n", worst);
  return 0;
}
