// expect: misaligned kernel=wide line=15 space=shared
// expect: misaligned kernel=wide line=16 space=shared
// expect: misaligned kernel=wide line=17 space=shared
// Wide accesses at constant offsets of a shared array: the compiler sees the misalignment and may split the access.
#define FETCH_DOUBLE(p) (reinterpret_cast<double*>(&(p))[0])

__global__ void wide(double* out) {
  __shared__ float tile[64];
  tile[2 * threadIdx.x] = threadIdx.x;
  tile[2 * threadIdx.x + 1] = 1;
  __syncthreads();
  __shared__ float2 pairs[32];
  pairs[threadIdx.x] = float2{1, 2};
  __syncthreads();
  out[threadIdx.x] = *(double*)&tile[1];
  out[threadIdx.x] += FETCH_DOUBLE(pairs[2].y);
  out[threadIdx.x] += ((const double*)(tile + 3))[threadIdx.x % 8];
}

int main() {
  double* out;
  cudaMalloc(&out, 32 * sizeof(double));
  wide<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
