// Kernels with blocks that several workers can run concurrently, and kernels that only seem to allow it. The findings and
// the contents of all arrays must not depend on the number of workers. NOTICE adds kernels with blocks that synchronise.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int block = 64, n_blocks = 48, n = block * n_blocks;

__global__ void scale(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 3 * in[i] + 1;
}
__global__ void add_one(int* data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void reverse_blocks(const int* in, int* out) {
  __shared__ int tile[block];
  tile[threadIdx.x] = in[blockIdx.x * block + threadIdx.x];
  __syncthreads();
  out[(gridDim.x - 1 - blockIdx.x) * block + threadIdx.x] = tile[block - 1 - threadIdx.x];
}
__global__ void read_everything(const int* in, int* out) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 7) sum += in[i];
  out[blockIdx.x * block + threadIdx.x] = sum;
}
__global__ void bytes(const unsigned char* in, unsigned char* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] ^ 0x5a;
}
__global__ void strides(int* out) {
  for (int i = blockIdx.x + gridDim.x * threadIdx.x; i < n; i += gridDim.x * block) out[i] = i;
}
struct Point {
  double x, y;
  int tag;
};
__global__ void structures(const Point* in, Point* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Point p = in[i];
  p.x += p.y;
  out[i] = p;
}

// Faulty kernels: the effects of speculative execution are undone before the launch runs again.
__global__ void counts_plainly(int* count) { *count += 1; }
__global__ void shifts_left(int* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int next = data[(i + block) % n];
  data[i] = next + 1;
}
__global__ void last_to_first(int* data) {  // a conflict between the first block and the last, on any workers
  data[n + blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) data[0] += data[n];
}
__global__ void flag(int* data, int* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (data[i] % 2 == 0) *found = 1;
}
__global__ void race_in_block(int* out) {
  __shared__ int tile[block];
  tile[threadIdx.x] = threadIdx.x;
  if (blockIdx.x % 16 != 3) __syncthreads();
  out[blockIdx.x * block + threadIdx.x] = tile[(threadIdx.x + 40) % block];
}
__global__ void unwritten(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] == 7 ? 1 : in[i] < 0 ? 2 : 3;
}
__global__ void unwritten_shared(int* out) {
  __shared__ int tile[block];
  if (threadIdx.x < 60) tile[threadIdx.x] = blockIdx.x;
  __syncthreads();
  out[blockIdx.x * block + threadIdx.x] = tile[threadIdx.x];
}
__global__ void outside(int* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i + (i == n - 5 ? 9 : 0)] = i;
}
__global__ void leaves_early(const int* in, int* out) {
  __shared__ int tile[block];
  if (blockIdx.x == 30 && threadIdx.x > 50) return;
  tile[threadIdx.x] = in[blockIdx.x * block + threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 50) out[blockIdx.x * block + threadIdx.x] = tile[49 - threadIdx.x];
}
__global__ void prints(int* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] += 5;
  if (threadIdx.x == 0 && blockIdx.x % 8 == 0) printf("block %d\n", blockIdx.x);
}
__device__ int last_seen;
__global__ void sets_variable(int* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] += last_seen;
  if (i == n / 2) last_seen = data[i];
}
__global__ void allocates(int** out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x != 0) return;
  int* own = static_cast<int*>(malloc(sizeof(int)));
  *own = i;
  out[blockIdx.x] = own;
}
__global__ void frees(int** in, int* out) {
  if (threadIdx.x != 0) return;
  out[blockIdx.x] = *in[blockIdx.x];
  free(in[blockIdx.x]);
}
#ifdef NOTICE
__global__ void histogram(const int* in, int* bins) {
  __shared__ int own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[in[blockIdx.x * block + threadIdx.x] & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
__global__ void releases_flag(int* data, volatile int* ready, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 41;
    __threadfence();
    *ready = 1;
  } else {
    while (*ready == 0) {
    }
    __threadfence();
    out[blockIdx.x] = data[0];
  }
}
__global__ void lanes(int* out) {
  __shared__ int tile[block];
  const int t = threadIdx.x;
  tile[t] = t;
  if (t % 32 < 16) __syncwarp(0xffff);
  out[blockIdx.x * block + t] = t % 32 < 16 ? tile[t ^ 1] : 0;
}
#endif

template <class T>
void show(const char* what, const T* device, int count) {
  std::vector<T> host(count);
  cudaMemcpy(host.data(), device, sizeof(T) * count, cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host.data());
  for (size_t i = 0; i < sizeof(T) * count; ++i) sum = sum * 1099511628211ull + bytes[i];
  std::printf("%s %llx %s\n", what, sum, cudaGetErrorString(cudaGetLastError()));
}

template <class T>
T* make(int count) {
  T* memory;
  cudaMalloc(&memory, sizeof(T) * count);
  cudaMemset(memory, 1, sizeof(T) * count);
  return memory;
}

int main() {
  int *a = make<int>(n), *b = make<int>(n), *c = make<int>(2 * n), *holes;
  unsigned char *text = make<unsigned char>(n), *code = make<unsigned char>(n);
  Point *points = make<Point>(n), *moved = make<Point>(n);
  int** pointers = make<int*>(n_blocks);
  cudaMalloc(&holes, sizeof(int) * n);
  cudaMemset(holes, 2, sizeof(int) * n / 2);
  for (int round = 0; round < 3; ++round) {
    scale<<<n_blocks, block>>>(a, b), show("scale", b, n);
    add_one<<<n_blocks, block>>>(a), show("add_one", a, n);
    reverse_blocks<<<n_blocks, block>>>(b, a), show("reverse_blocks", a, n);
    read_everything<<<n_blocks, block>>>(a, b), show("read_everything", b, n);
    bytes<<<n_blocks, block>>>(text, code), show("bytes", code, n);
    bytes<<<n_blocks - 1, block - 3>>>(code, text), show("odd bytes", text, n);
    strides<<<n_blocks, block>>>(b), show("strides", b, n);
    structures<<<n_blocks, block>>>(points, moved), show("structures", &moved->x, 4);
    counts_plainly<<<n_blocks, block>>>(a), show("counts_plainly", a, n);
    shifts_left<<<n_blocks, block>>>(b), show("shifts_left", b, n);
    last_to_first<<<n_blocks, block>>>(c), show("last_to_first", c, 2 * n);
    flag<<<n_blocks, block>>>(b, c + 5), show("flag", c, n);
    race_in_block<<<n_blocks, block>>>(c), show("race_in_block", c, n);
    unwritten<<<n_blocks, block>>>(holes, c), show("unwritten", c, n);
    unwritten_shared<<<n_blocks, block>>>(c), show("unwritten_shared", c, n);
    outside<<<n_blocks, block>>>(a), show("outside", a, n);
    leaves_early<<<n_blocks, block>>>(b, c), show("leaves_early", c, n);
    prints<<<n_blocks, block>>>(b), show("prints", b, n);
    sets_variable<<<n_blocks, block>>>(b), show("sets_variable", b, n);
    allocates<<<n_blocks, block>>>(pointers);
    frees<<<n_blocks, block>>>(pointers, c), show("frees", c, n);
#ifdef NOTICE
    cudaMemset(c, 0, sizeof(int) * n);
    histogram<<<n_blocks, block>>>(a, c), show("histogram", c, n);
    releases_flag<<<4, block>>>(c + 100, c + 101, c + 200), show("releases_flag", c, n);
    lanes<<<n_blocks, block>>>(c), show("lanes", c, n);
#endif
  }
}
