// expect: clean
// Shared variables that do not affect the results: an optimiser may remove them.
__global__ void temporary(int* out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x * 2;
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void unread(float* out) {
  __shared__ float tile[32];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = 1;
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  temporary<<<1, 32>>>((int*)out);
  unread<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
