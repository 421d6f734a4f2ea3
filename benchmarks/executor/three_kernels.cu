// The three kernels in CUDA C++; kernels.cl has them in OpenCL. Runs one of them once on 1M elements, checks the result
// and prints the time from launch to completion: three_kernels block_reduction
#include <cuda_runtime.h>

#include "expected.hpp"

// One sum per block of 256. partial[block]
__global__ void block_reduction(const float* in, float* partial) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  tile[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();  // all values are written
  for (int stride = 128; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();  // this level is complete before the next reads it
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

// out[x][y] = in[y][x], both [n, n]; blocks of (32, 8) move tiles of 32 x 32.
__global__ void tiled_transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x, column = blockIdx.x * 32, row = blockIdx.y * 32;
  for (int y = threadIdx.y; y < 32; y += 8) tile[y][x] = in[(row + y) * n + column + x];
  __syncthreads();  // the tile is complete before it is read the other way
  for (int y = threadIdx.y; y < 32; y += 8) out[(column + y) * n + row + x] = tile[x][y];
}

// out = in + (sum of the four neighbours - 4 in) / 4 inside, out = in on the edge; both [n, n].
__global__ void five_point_stencil(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * n + x;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
    out[i] = in[i];
  } else {
    out[i] = in[i] + 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] - 4.0f * in[i]);
  }
}

int main(int argc, char** argv) {
  const std::string kernel = argc > 1 ? argv[1] : "";
  const std::vector<float> in = bench::make_input(), wanted = bench::expected(kernel, in);
  std::vector<float> out(wanted.size());
  float *d_in, *d_out;
  cudaMalloc(&d_in, sizeof(float) * in.size());
  cudaMalloc(&d_out, sizeof(float) * out.size());
  cudaMemcpy(d_in, in.data(), sizeof(float) * in.size(), cudaMemcpyHostToDevice);

  const auto start = bench::Clock::now();
  if (kernel == "block_reduction") {
    block_reduction<<<bench::n_elements / bench::block, bench::block>>>(d_in, d_out);
  } else if (kernel == "tiled_transpose") {
    tiled_transpose<<<dim3(bench::n / 32, bench::n / 32), dim3(32, 8)>>>(d_in, d_out, bench::n);
  } else if (kernel == "five_point_stencil") {
    five_point_stencil<<<dim3(bench::n / 16, bench::n / 16), dim3(16, 16)>>>(d_in, d_out, bench::n);
  } else {
    bench::fail("no such kernel; it", 2);
  }
  if (const cudaError_t error = cudaDeviceSynchronize()) bench::fail("the launch", error);
  const double seconds = bench::seconds_since(start);

  cudaMemcpy(out.data(), d_out, sizeof(float) * out.size(), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  return bench::report(seconds, out, wanted);
}
