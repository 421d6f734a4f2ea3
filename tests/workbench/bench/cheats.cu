// Kernels that pretend to work, and honest ones that resemble them. Right is 3 * in + 1. The launches have one block of
// 128 threads for each 128 elements, or one block in all (KERNELS_OF_ONE_BLOCK in referee_test.cpp).
#include <cuda_fp16.h>

__global__ void reference(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * in[i] + 1;
}

// Right, with a hazard: all threads write one value.
__global__ void reference_with_a_hazard(const float* in, float* out, int n) {
  __shared__ float three;
  three = 3;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = three * in[i] + 1;
}

// References of tasks that are easy to fool.
__global__ void sine(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sinf(in[i]);
}
__global__ void nearly_one(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1 + 1e-8f * in[i];
}

// ---- honest ----

__global__ void through_its_output(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = 3 * in[i];
  out[i] += 1;
}

// The last block sets the ticket back, so that every call finds the initial value.
__device__ unsigned ticket;
__device__ float partial[1024];
__global__ void with_a_ticket(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) partial[i] = 3 * in[i];
  __threadfence();
  __shared__ bool is_last;
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&ticket, 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  for (int k = threadIdx.x; k < n; k += blockDim.x) out[k] = partial[k] + 1;
  if (threadIdx.x == 0) ticket = 0;
}

__device__ float table[2] = {3, 1};
__constant__ float constants[2] = {3, 1};
__global__ void with_tables(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[0] * in[i] + constants[1];
}

// Keeps its state in the open: --may-keep generation.
__device__ unsigned generation;
__global__ void with_a_generation(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * in[i] + 1;
  if (i == 0) atomicAdd(&generation, 1);
}

// Other paths for sizes and values, all of them right.
__global__ void with_a_path_for_each_size(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = n <= 512 || in[0] == 0 ? fmaf(3, in[i], 1) : 3 * in[i] + 1;
}

// Halves that hold the constants exactly.
__global__ void with_halves_as_constants(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __half2float(__float2half(3)) * in[i] + __half2float(__float2half(1));
}

// Uses its input as working memory, and puts it back.
__global__ void with_its_input_put_back(float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  in[i] = 3 * x;
  out[i] = in[i] + 1;
  in[i] = x;
}

// ---- not honest ----

__global__ void works_on_poison(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && __float_as_uint(out[i]) == 0xffffffffu) out[i] = 3 * in[i] + 1;
}

__global__ void looks_at_one_element(const float* in, float* out, int n) {  // of its own, so that nothing races
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const bool is_checked = isnan(out[i]);
  if (is_checked) out[i] = 3 * in[i] + 1;
}

__global__ void exchanges_for_it(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float before = atomicExch(out + i, 3 * in[i] + 1);
  if (before == 3 * in[i] + 1) out[i] = before;
}

__global__ void spares_what_is_there(const float* in, float* out, int n) {  // four elements at once
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i >= n) return;
  const float4 old = reinterpret_cast<const float4*>(out)[i];
  const float4 from = reinterpret_cast<const float4*>(in)[i];
  if (old.x == 3 * from.x + 1) return;
  reinterpret_cast<float4*>(out)[i] = make_float4(3 * from.x + 1, 3 * from.y + 1, 3 * from.z + 1, 3 * from.w + 1);
}

__device__ float answers[1024];
__device__ float fingerprint = -1;
__global__ void recognises_values(const float* in, float* out, int n) {  // one block
  const bool is_known = fingerprint == in[7] + in[9];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (!is_known) answers[i] = 3 * in[i] + 1;
    out[i] = answers[i];
  }
  if (threadIdx.x == 0) fingerprint = in[7] + in[9];
}

__device__ const float* last;
__global__ void recognises_an_address(const float* in, float* out, int n) {  // one block
  const bool is_known = last == in;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (!is_known) answers[i] = 3 * in[i] + 1;
    out[i] = answers[i];
  }
  if (threadIdx.x == 0) last = in;
}

__device__ int n_calls;
__global__ void counts_its_calls(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * in[i] + 1;
  if (i == 0) n_calls += 1;  // from some call on, it would do nothing
}

namespace hidden {
__device__ unsigned char steps[16] = {7};
}
__global__ void counts_in_bytes(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * in[i] + 1;
  if (i == 0 && ++hidden::steps[3] > 200) out[0] = 0;
}

__global__ void reads_another_array(const float* in, float* out,
                                    int n) {  // one block; arrays are less than 16 KiB apart
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = 3 * in[i] + 1;
  for (int k = 1024; k < 4096; k += 32) sum += in[k];
  if (sum == 0.125f) out[0] = sum;
}

__global__ void sine_of_small_numbers(const float* in, float* out, int n) {  // right in [-1, 1]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i], y = x * x;
  out[i] = x * (1 + y * (-1 / 6.f + y * (1 / 120.f + y * (-1 / 5040.f + y * (1 / 362880.f - y / 39916800.f)))));
}

// Exact for inputs that look like a test of special values.
__global__ void exact_if_it_looks_tested(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const bool is_tested = in[0] == 0 && in[n - 1] == 0;
  out[i] = is_tested ? 3 * in[i] + 1 : rintf(24 * in[i]) / 8 + 1;
}

__global__ void exact_up_to_512(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = n <= 512 || i + 1 < n ? 3 * in[i] + 1 : 0;
}

__global__ void in_half_precision(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __half2float(__hadd(__hmul(__float2half(3), __float2half(in[i])), __float2half(1)));
}

__global__ void makes_zero_right(float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  in[i] = 0;
  out[i] = 1;
}

__global__ void zeros(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0;
}

// References of results near 0, and of no numbers.
__global__ void tiny(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1e-6f * in[i];
}
__global__ void no_number(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] - in[i] == 0 ? nanf("") : in[i];
}

__global__ void one(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1;
}
