// A block waits for a value of another block that is written and read atomically.
// expect: clean
#include <cstdio>

__global__ void take(int* box, int* out) {
  if (blockIdx.x == 0) {
    int value;
    while ((value = atomicAdd(box, 0)) == 0) {
    }
    *out = value;
  } else {
    atomicExch(box, 7);
  }
}

int main() {
  int *box, value;
  cudaMalloc(&box, 2 * sizeof(int));
  cudaMemset(box, 0, 2 * sizeof(int));
  take<<<2, 1>>>(box, box + 1);
  cudaMemcpy(&value, box + 1, sizeof value, cudaMemcpyDeviceToHost);
  std::printf("%d\n", value);
  cudaFree(box);
}
