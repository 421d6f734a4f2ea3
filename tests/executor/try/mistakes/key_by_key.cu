__global__ void reduce_by_key(const float* values, const long* keys, float* dest, long size) {
  long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i < size) atomicAdd(&dest[keys[i]], values[i]);
}
