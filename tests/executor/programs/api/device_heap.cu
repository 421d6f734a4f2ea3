// malloc, free, new and delete inside kernels: per-thread lists built in one launch and read in the next.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Node {
  int value;
  Node* next;
  __device__ Node(int v, Node* n) : value(v), next(n) {}
};

__global__ void build(Node** heads, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Node* head = nullptr;
  for (int k = 0; k <= i % 5; ++k) head = new Node(i + k, head);
  heads[i] = head;
}

__global__ void consume(Node** heads, int* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (Node* p = heads[i]; p;) {
    sum += p->value;
    Node* next = p->next;
    delete p;
    p = next;
  }
  sums[i] = sum;
}

__global__ void block_scratch(int* out) {
  __shared__ int* scratch;
  if (threadIdx.x == 0) scratch = (int*)malloc(blockDim.x * sizeof(int));
  __syncthreads();
  if (scratch == NULL) return;
  scratch[threadIdx.x] = threadIdx.x * threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) free(scratch);
}

int main() {
  const int n = 333, blocks = 3, threads = 48;
  if (cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20) != cudaSuccess) return 2;
  Node** heads;
  int *sums, *out;
  cudaMalloc(&heads, n * sizeof(Node*));
  cudaMalloc(&sums, n * sizeof(int));
  cudaMalloc(&out, blocks * threads * sizeof(int));
  build<<<(n + 63) / 64, 64>>>(heads, n);
  consume<<<(n + 31) / 32, 32>>>(heads, sums, n);
  block_scratch<<<blocks, threads>>>(out);
  std::vector<int> got(n), squares(blocks * threads);
  cudaMemcpy(got.data(), sums, n * sizeof(int), cudaMemcpyDeviceToHost);
  if (cudaMemcpy(squares.data(), out, squares.size() * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    int want = 0;
    for (int k = 0; k <= i % 5; ++k) want += i + k;
    bad += got[i] != want;
  }
  for (int i = 0; i < blocks * threads; ++i) {
    int t = threads - 1 - i % threads;
    bad += squares[i] != t * t;
  }
  cudaFree(heads);
  cudaFree(sums);
  cudaFree(out);
  std::printf("device_heap: %d bad\n", bad);
  return bad != 0;
}
