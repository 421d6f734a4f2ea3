__global__ void index(float* dest, const float* a, const long* b, long aSize, long bSize) {
  long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i < bSize && b[i] >= 0 && b[i] < aSize) dest[i] = a[b[i]];
}
