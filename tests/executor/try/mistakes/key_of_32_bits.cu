__global__ void scatter_sum(const float* values, const long* keys, float* dest, long size) {
  long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i >= size) return;
  int key = keys[i];
  atomicAdd(&dest[key], values[i]);
}
