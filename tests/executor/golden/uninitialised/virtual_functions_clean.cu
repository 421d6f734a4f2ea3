// expect: clean
// Objects with virtual functions, constructed on the device heap and in shared memory: constructors write the pointer
// to the function table.
#include <cuda_runtime.h>

#include <new>

struct Operation {
  __device__ virtual ~Operation() {}
  __device__ virtual int apply(int x) const = 0;
};

struct Add : Operation {
  int amount;
  __device__ explicit Add(int amount) : amount(amount) {}
  __device__ int apply(int x) const override { return x + amount; }
};

__global__ void make(Operation** operation) { *operation = new Add(3); }

__global__ void apply(Operation** operation, int* out) {
  __shared__ alignas(8) unsigned char storage[sizeof(Add)];
  __shared__ Operation* local;
  if (threadIdx.x == 0) local = new (storage) Add(4);
  __syncthreads();
  out[threadIdx.x] = (*operation)->apply(threadIdx.x) + local->apply(threadIdx.x);
}

__global__ void drop(Operation** operation) { delete *operation; }

int main() {
  Operation** operation;
  int* out;
  cudaMalloc(&operation, sizeof(Operation*));
  cudaMalloc(&out, 64 * sizeof(int));
  make<<<1, 1>>>(operation);
  apply<<<1, 64>>>(operation, out);
  drop<<<1, 1>>>(operation);
  cudaDeviceSynchronize();
  cudaFree(operation);
  cudaFree(out);
  return 0;
}
