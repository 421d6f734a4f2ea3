__global__ void sum_atomic(float* dest, float* inp, long long size) {
  long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) atomicAdd(dest, inp[i]);
}
