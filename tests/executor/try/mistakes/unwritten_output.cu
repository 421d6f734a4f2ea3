__global__ void mul_add(float* dest, const float* a, const float* b, const float* c) {
  int i = threadIdx.x;
  if (i < 64) dest[i] = a[i] * b[i] + c[i];
}
