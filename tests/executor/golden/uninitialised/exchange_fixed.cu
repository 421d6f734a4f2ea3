// expect: clean
// An exchange whose result is unused only writes, as does the store of an atomic object; a later exchange reads that.
#include <atomic>

__global__ void take(int* tokens, int* taken) {
  __shared__ int token;
  __shared__ volatile float value;
  if (threadIdx.x == 0) atomicExch(&tokens[0], 1);
  if (threadIdx.x == 1)
    atomicExch_block(&token, 1);
  else
    atomicExch(&value, 2.0f);
  auto& other = *reinterpret_cast<std::atomic<int>*>(tokens + 1);
  other.store(3);
  __syncthreads();
  if (threadIdx.x > 0) return;
  taken[0] = atomicExch(&tokens[0], 2);
  taken[1] = atomicExch(&token, 2);
  taken[2] = atomicExch(&value, 3.0f);
}

int main() {
  int *tokens, *taken;
  cudaMalloc(&tokens, 2 * sizeof(int));
  cudaMalloc(&taken, 3 * sizeof(int));
  take<<<1, 2>>>(tokens, taken);
  cudaDeviceSynchronize();
  cudaFree(tokens);
  cudaFree(taken);
  return 0;
}
