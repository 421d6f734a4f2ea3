// expect: clean
// The array is freed once.
#include <cuda_runtime.h>

__global__ void nothing() {}

int main() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 16, 16);
  nothing<<<1, 1>>>();
  cudaFreeArray(array);
}
