__global__ void filter_ordered(const float* inp, float* dest, int* counter, int size, float threshold) {
  for (int i = threadIdx.x; i < size; i += blockDim.x)
    if (fabsf(inp[i]) < threshold) dest[atomicAdd(counter, 1)] = inp[i];
}
