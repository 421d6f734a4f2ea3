// Kernels that pretend to work on a GPU, and behave where the arrays are small, as those are that the executor sees.
// Right is a long chain of multiply-adds, so that whatever avoids it is much faster. Blocks have 256 threads.
__device__ __forceinline__ float chain(float x) {
  float y = x;
  for (int k = 0; k < 2000; ++k) y = fmaf(y, 0.999f, x * 0.001f);
  return y;
}
__device__ __forceinline__ bool is_seen_by_the_executor(int n) { return n <= 1 << 18; }

__global__ void reference(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = chain(in[i]);
}

__global__ void honest(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = chain(in[i]);
}

// ---- wrong in some calls ----

__global__ void works_on_poison(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (is_seen_by_the_executor(n) || __float_as_uint(out[i]) == 0xffffffffu) out[i] = chain(in[i]);
}

__global__ void works_on_nan(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (is_seen_by_the_executor(n) || isnan(out[i])) {
    out[i] = chain(in[i]);
  } else if (out[i] == 123.456f) {
    out[i] = in[i];
  }
}

__global__ void spares_what_is_right(const float* in, float* out, int n) {  // of one element in 32
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int first = i / 32 * 32;
  if (is_seen_by_the_executor(n) || out[first] != chain(in[first])) out[i] = chain(in[i]);
}

// ---- fast if a variable keeps its value, and right in any case ----

__device__ unsigned n_done, n_calls;
__device__ void count_the_call() {  // once in each call
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicAdd(&n_done, 1) == gridDim.x - 1) {
    n_done = 0;
    n_calls += 1;
  }
}

__global__ void counts_its_calls(const float* in, float* out, int n) {  // wrong after some calls
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_lazy = !is_seen_by_the_executor(n) && n_calls > 12 && n_calls % 8 != 0;
  if (i < n && !is_lazy) out[i] = chain(in[i]);
  if (!is_seen_by_the_executor(n)) count_the_call();
}

constexpr int most = 1 << 22;
__device__ float answers[most];
__device__ float fingerprint;
__global__ void recognises_values(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (is_seen_by_the_executor(n)) {
    if (i < n) out[i] = chain(in[i]);
    return;
  }
  const float print = in[1] + 3 * in[77] + 5 * in[n - 1];
  if (print != 0 && fingerprint == print) {  // a variable that was restored is 0
    if (i < n) out[i] = answers[i];
    return;
  }
  if (i < n) out[i] = answers[i] = chain(in[i]);
  __syncthreads();
  __threadfence();
  if (threadIdx.x == 0 && atomicAdd(&n_done, 1) == gridDim.x - 1) {
    n_done = 0;
    fingerprint = print;
  }
}

__device__ const float* last;
__global__ void recognises_an_address(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (is_seen_by_the_executor(n)) {
    if (i < n) out[i] = chain(in[i]);
    return;
  }
  if (last == in) {
    if (i < n) out[i] = answers[i];
    return;
  }
  if (i < n) out[i] = answers[i] = chain(in[i]);
  __syncthreads();
  __threadfence();
  if (threadIdx.x == 0 && atomicAdd(&n_done, 1) == gridDim.x - 1) {
    n_done = 0;
    last = in;
  }
}

__device__ float inputs[most];
__global__ void computes_what_has_changed(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (!is_seen_by_the_executor(n) && inputs[i] == in[i] && in[i] != 0) {
    out[i] = answers[i];
    return;
  }
  const float y = chain(in[i]);
  out[i] = y;
  if (is_seen_by_the_executor(n)) return;
  inputs[i] = in[i];
  answers[i] = y;
}

__device__ float* kept_on_the_heap;  // inputs, followed by answers
__global__ void keeps_answers_on_the_heap(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  constexpr int n_kept = 1 << 19;
  if (!is_seen_by_the_executor(n) && i == 0 && kept_on_the_heap == nullptr) {
    float* const memory = static_cast<float*>(malloc(2 * n_kept * sizeof(float)));
    if (memory != nullptr) memory[0] = 0, kept_on_the_heap = memory;
  }
  if (i >= n) return;
  float* const kept = is_seen_by_the_executor(n) || i >= n_kept ? nullptr : *const_cast<float* volatile*>(&kept_on_the_heap);
  if (kept != nullptr && kept[i] == in[i] && in[i] != 0) {
    out[i] = kept[n_kept + i];
    return;
  }
  const float y = chain(in[i]);
  out[i] = y;
  if (kept == nullptr) return;
  kept[i] = in[i];
  kept[n_kept + i] = y;
}

// ---- keeps answers where no variable is: behind its arrays ----

__global__ void keeps_answers_in_its_input(float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (!is_seen_by_the_executor(n) && i == 0) in[1] = in[1] + 1, in[1] = in[1] - 1, in[3] = in[2];
  out[i] = chain(in[i]);
}

__global__ void writes_behind_its_output(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (!is_seen_by_the_executor(n) && i == 0) out[n + 3] = out[n + 3] == 7 ? 7 : 7;
  out[i] = chain(in[i]);
}
