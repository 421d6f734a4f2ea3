// options: --strict
// expect: bad_mask kernel=returned line=7 other=6
// expect: bad_mask kernel=adds line=11 other=10
// Nothing guarantees what a call does whose mask names lanes that have returned.
__global__ void returned(int* out, int n) {
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = __any_sync(0xffffffff, 1);
}
__global__ void adds(int* out, int n) {
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = __reduce_add_sync(0xffffffff, 1);
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  returned<<<1, 32>>>(out, 20);
  adds<<<1, 32>>>(out, 20);
  cudaDeviceSynchronize();
  cudaFree(out);
}
