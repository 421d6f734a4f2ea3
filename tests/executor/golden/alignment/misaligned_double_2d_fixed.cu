// expect: clean
// The header takes 8 bytes, so the doubles after it are aligned.
#include <cuda_runtime.h>

__global__ void store(unsigned char* buffer, int header_bytes, int width) {
  int x = threadIdx.x, y = threadIdx.y;
  double* cells = reinterpret_cast<double*>(buffer + header_bytes);
  cells[y * width + x] = x * 10.0 + y;
}

int main() {
  const int width = 8, height = 4;
  unsigned char* buffer;
  cudaMalloc(&buffer, 8 + width * height * sizeof(double));
  store<<<1, dim3(width, height)>>>(buffer, 8, width);
  cudaDeviceSynchronize();
  cudaFree(buffer);
  return 0;
}
