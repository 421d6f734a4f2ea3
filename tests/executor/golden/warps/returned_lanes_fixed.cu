// options: --strict
// expect: clean
// The mask names the lanes that are left.
__global__ void returned(int* out, int n) {
  const unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < n);
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = __any_sync(mask, 1) + __reduce_add_sync(mask, 1);
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  returned<<<1, 32>>>(out, 20);
  cudaDeviceSynchronize();
  cudaFree(out);
}
