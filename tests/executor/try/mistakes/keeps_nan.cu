__global__ void filter_atomic(const float* inp, float* dest, int* counter, int size, float threshold) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size && !(fabsf(inp[i]) >= threshold)) dest[atomicAdd(counter, 1)] = inp[i];
}
