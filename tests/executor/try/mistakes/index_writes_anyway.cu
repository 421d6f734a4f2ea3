__global__ void index(float* dest, const float* a, const long* b, long aSize, long bSize) {
  long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < bSize) dest[i] = b[i] >= 0 && b[i] < aSize ? a[b[i]] : 0;
}
