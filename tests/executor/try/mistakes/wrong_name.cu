__global__ void sum_atomc(const float* inp, float* dest, long long size) {
  long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) atomicAdd(dest, inp[i]);
}
