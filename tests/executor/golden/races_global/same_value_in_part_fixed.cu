// expect: clean
// Each block writes separate words.
#include <cuda_runtime.h>

__global__ void one_of_two(int2* pairs, const int* values) {
  const int a = values[5], b = values[9];
  if (blockIdx.x == 0) {
    pairs[0].x = a;
  } else {
    pairs[1] = make_int2(a, b);
  }
}

__global__ void byte_of_word(int* words, const int* values) {
  if (blockIdx.x == 0) {
    words[0] = values[5];
  } else {
    *reinterpret_cast<signed char*>(words + 1) = static_cast<signed char>(values[5]);
  }
}

int main() {
  int host[10];
  for (int i = 0; i < 10; ++i) host[i] = i;
  int *values, *out;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  one_of_two<<<2, 1>>>(reinterpret_cast<int2*>(out), values);
  byte_of_word<<<2, 1>>>(out, values);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(out);
  return 0;
}
