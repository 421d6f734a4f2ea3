__global__ int sum_atomic(const float* inp, float* dest, long size) {
  long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i < size) atomicAdd(dest, inp[i]);
  return 0;
}
