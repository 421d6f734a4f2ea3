// expect: race kernel=temporary line=10 other=10 space=shared
// expect: uninitialised kernel=unwritten line=15 space=shared
// expect: out_of_bounds kernel=unwritten_past_end line=19 space=shared
// expect: uninitialised kernel=unwritten_past_end line=19 space=shared
// expect: race kernel=unread line=23 other=23 space=shared
// expect: out_of_bounds kernel=unread_past_end line=28 space=shared
// Shared variables that do not affect the results: an optimiser may remove them.
__global__ void temporary(int* out) {
  __shared__ int s;
  s = threadIdx.x * 2;
  out[threadIdx.x] = s;
}
__global__ void unwritten(float* out) {
  __shared__ float tile[32];
  out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void unwritten_past_end(float* out) {
  __shared__ float tile[31];
  out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void unread(float* out) {
  __shared__ float tile[32];
  tile[threadIdx.x / 2] = threadIdx.x;
  out[threadIdx.x] = 1;
}
__global__ void unread_past_end(float* out) {
  __shared__ float tile[31];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = 1;
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  temporary<<<1, 32>>>((int*)out);
  unwritten<<<1, 32>>>(out);
  unwritten_past_end<<<1, 32>>>(out);
  unread<<<1, 32>>>(out);
  unread_past_end<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
