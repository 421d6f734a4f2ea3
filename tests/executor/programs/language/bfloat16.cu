// RMS norm of bfloat16 rows with float accumulation, then a bfloat162 residual add, as language-model code does.
#include <cuda_bf16.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

typedef __nv_bfloat16 floatX;

static inline void cuda_check(cudaError_t error, const char *file, int line) {
  if (error != cudaSuccess) {
    printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}
#define cudaCheck(err) (cuda_check(err, __FILE__, __LINE__))
#define CEIL_DIV(M, N) (((M) + (N) - 1) / (N))

__device__ float warpReduceSum(float val) {
  for (int offset = 16; offset > 0; offset /= 2) val += __shfl_xor_sync(0xFFFFFFFF, val, offset);
  return val;
}

__global__ void rmsnorm_forward(floatX *out, const floatX *inp, const floatX *weight, int N, int C) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = blockIdx.x * (blockDim.x / 32) + warp;
  if (row >= N) return;  // whole warps exit
  const floatX *x = inp + (size_t)row * C;
  float sum = 0.0f;
  for (int c = lane; c < C; c += 32) {
    float v = __bfloat162float(x[c]);
    sum += v * v;
  }
  sum = warpReduceSum(sum);
  float scale = rsqrtf(sum / C + 1e-5f);
  for (int c = lane; c < C; c += 32)
    out[(size_t)row * C + c] = __float2bfloat16(__bfloat162float(x[c]) * scale * (float)weight[c]);
}

__global__ void residual_add(__nv_bfloat162 *out, const __nv_bfloat162 *a, const __nv_bfloat162 *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hadd2(a[i], b[i]);
}

int main() {
  const int N = 13, C = 74;
  floatX *x = (floatX *)malloc(N * C * sizeof(floatX));
  floatX *w = (floatX *)malloc(C * sizeof(floatX));
  floatX *y = (floatX *)malloc(N * C * sizeof(floatX));
  floatX *r = (floatX *)malloc(N * C * sizeof(floatX));
  for (int i = 0; i < N * C; i++) x[i] = __float2bfloat16((float)((i * 31) % 200 - 100) / 50.0f);
  for (int i = 0; i < C; i++) w[i] = __float2bfloat16(1.0f + (i % 5) * 0.25f);

  floatX *d_x, *d_w, *d_y, *d_r;
  cudaCheck(cudaMalloc((void **)&d_x, N * C * sizeof(floatX)));
  cudaCheck(cudaMalloc((void **)&d_w, C * sizeof(floatX)));
  cudaCheck(cudaMalloc((void **)&d_y, N * C * sizeof(floatX)));
  cudaCheck(cudaMalloc((void **)&d_r, N * C * sizeof(floatX)));
  cudaCheck(cudaMemcpy(d_x, x, N * C * sizeof(floatX), cudaMemcpyHostToDevice));
  cudaCheck(cudaMemcpy(d_w, w, C * sizeof(floatX), cudaMemcpyHostToDevice));
  rmsnorm_forward<<<CEIL_DIV(N, 4), 128>>>(d_y, d_x, d_w, N, C);
  cudaCheck(cudaGetLastError());
  residual_add<<<CEIL_DIV(N * C / 2, 96), 96>>>((__nv_bfloat162 *)d_r, (const __nv_bfloat162 *)d_x,
                                                (const __nv_bfloat162 *)d_y, N * C / 2);
  cudaCheck(cudaGetLastError());
  cudaCheck(cudaMemcpy(y, d_y, N * C * sizeof(floatX), cudaMemcpyDeviceToHost));
  cudaCheck(cudaMemcpy(r, d_r, N * C * sizeof(floatX), cudaMemcpyDeviceToHost));

  int bad = 0;
  for (int row = 0; row < N; row++) {
    double sum = 0;
    for (int c = 0; c < C; c++) sum += pow((double)__bfloat162float(x[row * C + c]), 2);
    double scale = 1.0 / sqrt(sum / C + 1e-5);
    for (int c = 0; c < C; c++) {
      int i = row * C + c;
      double want = __bfloat162float(x[i]) * scale * __bfloat162float(w[c]);
      if (!(fabs(__bfloat162float(y[i]) - want) <= 0.01 * fabs(want) + 1e-3)) bad++;
      double sum2 = (double)__bfloat162float(x[i]) + (double)__bfloat162float(y[i]);
      if (!(fabs(__bfloat162float(r[i]) - sum2) <= 0.01 * fabs(sum2) + 1e-3)) bad++;
    }
  }
  printf("bfloat16: %d bad of %d\n", bad, 2 * N * C);
  free(x); free(w); free(y); free(r);
  cudaCheck(cudaFree(d_x)); cudaCheck(cudaFree(d_w)); cudaCheck(cudaFree(d_y)); cudaCheck(cudaFree(d_r));
  return bad ? 1 : 0;
}
