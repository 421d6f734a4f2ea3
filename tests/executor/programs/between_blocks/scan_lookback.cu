// Single-pass inclusive scan with decoupled look-back: each tile publishes its aggregate, then its prefix, behind a flag.
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

enum : int { kEmpty = 0, kAggregate = 1, kPrefix = 2 };
constexpr int kThreads = 128;
constexpr int kPerThread = 4;
constexpr int kTile = kThreads * kPerThread;

struct TileState {
  int* flag;
  long long* aggregate;
  long long* prefix;
};

__device__ long long warp_inclusive(long long v) {
  const int lane = threadIdx.x & 31;
  for (int d = 1; d < 32; d <<= 1) {
    long long up = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d) v += up;
  }
  return v;
}

__device__ long long look_back(const TileState& state, int tile) {
  long long running = 0;
  for (int p = tile - 1; p >= 0; --p) {
    int flag;
    while ((flag = atomicAdd(&state.flag[p], 0)) == kEmpty) {
    }
    __threadfence();
    if (flag == kPrefix) return running + state.prefix[p];
    running += state.aggregate[p];
  }
  return running;
}

__global__ void __launch_bounds__(kThreads) scan_kernel(const int* in, long long* out, int n, unsigned* next_tile,
                                                        TileState state) {
  __shared__ int s_tile;
  __shared__ long long s_warp[kThreads / 32];
  __shared__ long long s_exclusive;
  if (threadIdx.x == 0) s_tile = static_cast<int>(atomicAdd(next_tile, 1u));
  __syncthreads();
  const int tile = s_tile;
  const int first = tile * kTile + threadIdx.x * kPerThread;

  long long item[kPerThread];
  long long sum = 0;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    if (first + k < n) sum += in[first + k];
    item[k] = sum;
  }
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const long long inclusive = warp_inclusive(sum);
  if (lane == 31) s_warp[warp] = inclusive;
  __syncthreads();
  long long before = inclusive - sum, total = 0;
  for (int w = 0; w < kThreads / 32; ++w) {
    if (w < warp) before += s_warp[w];
    total += s_warp[w];
  }

  if (threadIdx.x == 0) {
    long long exclusive = 0;
    if (tile > 0) {
      state.aggregate[tile] = total;
      __threadfence();
      atomicExch(&state.flag[tile], kAggregate);
      exclusive = look_back(state, tile);
    }
    state.prefix[tile] = exclusive + total;
    __threadfence();
    atomicExch(&state.flag[tile], kPrefix);
    s_exclusive = exclusive;
  }
  __syncthreads();
  const long long add = s_exclusive + before;
  for (int k = 0; k < kPerThread; ++k)
    if (first + k < n) out[first + k] = add + item[k];
}

template <class T>
T* device_array(size_t count) {
  T* p = nullptr;
  if (cudaMalloc(&p, count * sizeof(T)) != cudaSuccess) std::exit(2);
  cudaMemset(p, 0, count * sizeof(T));
  return p;
}

}  // namespace

int main() {
  const int n = 23 * kTile + 77;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) in[i] = (i * 31) % 1009 - 300;
  const int tiles = (n + kTile - 1) / kTile;

  int* d_in = device_array<int>(n);
  auto* d_out = device_array<long long>(n);
  auto* next = device_array<unsigned>(1);
  TileState state{device_array<int>(tiles), device_array<long long>(tiles), device_array<long long>(tiles)};
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scan_kernel<<<tiles, kThreads>>>(d_in, d_out, n, next, state);
  std::vector<long long> got(n), want(n);
  if (cudaMemcpy(got.data(), d_out, n * sizeof(long long), cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  long long running = 0;
  for (int i = 0; i < n; ++i) want[i] = running += in[i];
  for (void* p : {(void*)d_in, (void*)d_out, (void*)next, (void*)state.flag, (void*)state.aggregate, (void*)state.prefix})
    cudaFree(p);
  std::printf("scan_lookback over %d tiles: %s\n", tiles, got == want ? "ok" : "WRONG");
  return got == want ? 0 : 1;
}
