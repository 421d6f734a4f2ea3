template <class T>
__global__ void sum_atomic(const T* inp, T* dest, long size) {
  long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i < size) atomicAdd(dest, inp[i]);
}
