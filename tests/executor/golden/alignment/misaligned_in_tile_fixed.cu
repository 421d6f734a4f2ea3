// expect: clean
// Aligned wide accesses at constant offsets of a shared array; structures of 4-byte members need only 4-byte alignment.
#define FETCH_FLOAT4(p) (reinterpret_cast<float4*>(&(p))[0])
struct Quad { float v[4]; };

__global__ void wide(double* out, float4* wide_out) {
  __shared__ float tile[64];
  tile[2 * threadIdx.x] = threadIdx.x;
  tile[2 * threadIdx.x + 1] = 1;
  __syncthreads();
  out[threadIdx.x] = *(double*)&tile[2];
  out[threadIdx.x] += ((const double*)(tile + 4))[threadIdx.x % 8];
  wide_out[threadIdx.x] = FETCH_FLOAT4(tile[8]);
  wide_out[threadIdx.x].x += ((float4*)tile)[threadIdx.x % 16].y;
  const Quad quad = *(Quad*)&tile[1];
  wide_out[threadIdx.x].y += quad.v[0];
}

int main() {
  double* out;
  float4* wide_out;
  cudaMalloc(&out, 32 * sizeof(double));
  cudaMalloc(&wide_out, 32 * sizeof(float4));
  wide<<<1, 32>>>(out, wide_out);
  cudaDeviceSynchronize();
}
