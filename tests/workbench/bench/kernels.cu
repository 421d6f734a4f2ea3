// What tests of bench and tune bring: a reference, good kernels and every kind of bad one.
#ifndef PER
#define PER 1
#endif
#define R 2  // a macro that headers of ours must not see

__global__ void naive(const float* in, float* out, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}

__global__ void several(const float* in, float* out, int n, float factor) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * PER;
  for (int i = first; i < first + PER && i < n; ++i) out[i] = factor * in[i];
#if PER == 3
  if (blockIdx.x == 0 && threadIdx.x == 0) out[n - 1] = 7;
#endif
  static_assert(PER < 64, "too many");
}

__global__ void strided(float* source, float* target, int size, float scale) {  // other names, and nothing is const
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
    target[i] = scale * source[i];
}

__global__ void wrong(const float* in, float* out, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i] + (i == 77 ? 1 : 0);
}

__global__ void outside(const float* in, float* out, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = factor * in[i < n ? i : 0];
}

__global__ void silent(const float*, float*, int, float) {}

__device__ float kept[1000];
__device__ bool is_kept;
__global__ void remembers(const float* in, float* out, int n, float factor) {  // right for the first inputs alone
  const int i = threadIdx.x;
  if (blockIdx.x > 0) return;
  for (int k = i; k < n; k += blockDim.x) {
    if (!is_kept) kept[k] = factor * in[k];
    out[k] = kept[k];
  }
  __syncthreads();
  if (i == 0) is_kept = true;
}

__global__ void endless(const float* in, float* out, int n, float factor) {
  while (static_cast<const volatile float*>(in)[0] < 50) {
  }
  out[0] = static_cast<float>(n) * factor;
}

__global__ void add_up(const int* in, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i]);
}

__global__ void racy(const float* in, float* out, int n, float factor) {
  __shared__ float tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = i < n ? factor * in[i] : 0;
  if (i < n) out[i] = tile[threadIdx.x ^ 33] * 0 + factor * in[i];
}

// Two kernels in one: partial sums of each block, which are not a result, and their sum.
__global__ void sum_with_scratch(const int* in, int* partial, int* sum, int n) {
  __shared__ int of_warps[2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int of_warp = __reduce_add_sync(0xffffffff, i < n ? in[i] : 0);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = of_warp;
  __syncthreads();
  if (threadIdx.x > 0) return;
  partial[blockIdx.x] = of_warps[0] + of_warps[1];
  atomicAdd(sum, partial[blockIdx.x]);
}

__global__ void sum_of_all(const int* in, int* partial, int* sum, int n) {
  if (blockIdx.x > 0 || threadIdx.x > 0) return;
  for (int i = 0; i < n; ++i) *sum += in[i];
}

__global__ void root(const float* in, float* out, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * sqrtf(in[i]);
}

void scale_on_host(const float* in, float* out, int n, float factor) {
  for (int i = 0; i < n; ++i) out[i] = factor * in[i];
}

void add_up_on_host(const int* in, int* sum, int n) {
  for (int i = 0; i < n; ++i) *sum += in[i];
}

int main() { return R; }
