// expect: clean
// The table of row pointers is in device memory too.
#include <cuda_runtime.h>

__global__ void fill(float** rows, int width) {
  int x = threadIdx.x, y = threadIdx.y;
  float* row = rows[y];
  if (x < width) row[x] = x + y;
}

int main() {
  const int width = 20, height = 4;
  float *cells, *rows[height], **d_rows;
  cudaMalloc(&cells, width * height * sizeof(float));
  cudaMalloc(&d_rows, sizeof(rows));
  for (int y = 0; y < height; ++y) rows[y] = cells + y * width;
  cudaMemcpy(d_rows, rows, sizeof(rows), cudaMemcpyHostToDevice);
  fill<<<1, dim3(32, height)>>>(d_rows, width);
  cudaDeviceSynchronize();
  cudaFree(cells);
  cudaFree(d_rows);
  return 0;
}
