// expect: clean
// All threads reach the barrier, or return before it: then it is the barrier of those that are left.
__global__ void in_branch(float* out) {
  __shared__ float tile[64];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32) tile[threadIdx.x] += 1;
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = tile[31 - threadIdx.x];
}

__global__ void early(float* out, int n) {
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = 1;
  if (n > 0) {
    __syncthreads();
    out[threadIdx.x] += 1;
  } else {
    out[threadIdx.x] = 0;
  }
}

__global__ void in_loop(float* out, int n) {
  for (int i = 0; i < 3; ++i) {
    out[threadIdx.x] = i;
    __syncthreads();
    if (threadIdx.x >= n) return;
  }
}

#define RETURN_PAST(n) \
  if (threadIdx.x >= n) return

__global__ void in_macro(float* out, int n) {
  RETURN_PAST(n);
  __syncthreads();
  out[threadIdx.x] = 3;
}

int main() {
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  in_branch<<<1, 64>>>(out);
  early<<<1, 64>>>(out, 40);
  in_loop<<<1, 64>>>(out, 40);
  in_macro<<<1, 64>>>(out, 40);
  cudaDeviceSynchronize();
  cudaFree(out);
}
