// The classic series of seven sum kernels, from interleaved addressing to several elements per thread.
#include <cstdio>
#include <cstdlib>
#include <vector>

extern __shared__ int sdata[];

__global__ void reduce0(const int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    if ((tid % (2 * s)) == 0) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

__global__ void reduce1(const int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    int index = 2 * s * tid;
    if (index < blockDim.x) sdata[index] += sdata[index + s];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

__global__ void reduce2(const int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

__global__ void reduce3(const int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  int mySum = (i < n) ? g_idata[i] : 0;
  if (i + blockDim.x < n) mySum += g_idata[i + blockDim.x];
  sdata[tid] = mySum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] = mySum = mySum + sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}

__device__ void warpReduce(int *s, unsigned int tid) {
  int v = s[tid];
  v += s[tid + 32]; __syncwarp();
  s[tid] = v;       __syncwarp();
  v += s[tid + 16]; __syncwarp();
  s[tid] = v;       __syncwarp();
  v += s[tid + 8];  __syncwarp();
  s[tid] = v;       __syncwarp();
  v += s[tid + 4];  __syncwarp();
  s[tid] = v;       __syncwarp();
  v += s[tid + 2];  __syncwarp();
  s[tid] = v;       __syncwarp();
  v += s[tid + 1];  __syncwarp();
  s[tid] = v;
}

__global__ void reduce4(const int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  int mySum = (i < n) ? g_idata[i] : 0;
  if (i + blockDim.x < n) mySum += g_idata[i + blockDim.x];
  sdata[tid] = mySum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid < 32) warpReduce(sdata, tid);
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

template <unsigned int blockSize>
__device__ void reduceBlock(int mySum, int *out) {
  unsigned int tid = threadIdx.x;
  sdata[tid] = mySum;
  __syncthreads();
  if (blockSize >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
  if (blockSize >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
  if (blockSize >= 128) { if (tid < 64) sdata[tid] += sdata[tid + 64]; __syncthreads(); }
  if (tid < 32) warpReduce(sdata, tid);
  if (tid == 0) *out = sdata[0];
}

template <unsigned int blockSize>
__global__ void reduce5(const int *g_idata, int *g_odata, unsigned int n) {
  unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
  int mySum = (i < n) ? g_idata[i] : 0;
  if (i + blockSize < n) mySum += g_idata[i + blockSize];
  reduceBlock<blockSize>(mySum, g_odata + blockIdx.x);
}

template <unsigned int blockSize>
__global__ void reduce6(const int *g_idata, int *g_odata, unsigned int n) {
  int mySum = 0;
  for (unsigned int i = blockIdx.x * blockSize + threadIdx.x; i < n; i += blockSize * gridDim.x) mySum += g_idata[i];
  reduceBlock<blockSize>(mySum, g_odata + blockIdx.x);
}

void reduce(int which, int blocks, int threads, const int *in, int *out, unsigned n) {
  size_t smem = threads * sizeof(int);
  switch (which) {
    case 0: reduce0<<<blocks, threads, smem>>>(in, out, n); break;
    case 1: reduce1<<<blocks, threads, smem>>>(in, out, n); break;
    case 2: reduce2<<<blocks, threads, smem>>>(in, out, n); break;
    case 3: reduce3<<<blocks, threads, smem>>>(in, out, n); break;
    case 4: reduce4<<<blocks, threads, smem>>>(in, out, n); break;
    case 5:
      if (threads == 128) reduce5<128><<<blocks, threads, smem>>>(in, out, n);
      else reduce5<64><<<blocks, threads, smem>>>(in, out, n);
      break;
    case 6: reduce6<256><<<blocks, 256, 256 * sizeof(int)>>>(in, out, n); break;
  }
}

int main() {
  const unsigned n = 6007;
  std::vector<int> h(n);
  long long want = 0;
  for (unsigned i = 0; i < n; i++) want += h[i] = int(i * 13 % 1001) - 450;
  int *in, *out;
  cudaMalloc((void **)&in, n * sizeof(int));
  cudaMalloc((void **)&out, 256 * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  int failures = 0;
  for (int which = 0; which < 7; which++)
    for (int threads = 64; threads <= 128; threads *= 2) {
      int per = which < 3 ? threads : 2 * threads;
      int blocks = which == 6 ? 5 : (n + per - 1) / per;
      reduce(which, blocks, threads, in, out, n);
      std::vector<int> partial(blocks);
      if (cudaMemcpy(partial.data(), out, blocks * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
      long long sum = 0;
      for (int p : partial) sum += p;
      if (sum != want) failures++, printf("reduce%d with %d threads: %lld, not %lld\n", which, threads, sum, want);
    }
  cudaFree(in);
  cudaFree(out);
  printf("reduction_family: %s\n", failures ? "FAILED" : "all seven right");
  return failures ? 1 : 0;
}
