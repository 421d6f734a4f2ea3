__global__ void reduce_by_key_gradient(const float* grad_dest, const long* keys, float* grad_values, long size) {
  long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i < size) atomicAdd(&grad_values[i], grad_dest[keys[i]]);
}
