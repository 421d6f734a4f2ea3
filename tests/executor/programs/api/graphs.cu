// Graphs built in several ways: captured from streams that fork and join, assembled node by node, updated after
// instantiation, and nested. A graph uses the argument values of the capture and the memory contents of the
// launch.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include <vector>

#define CHECK(call)                                                                             \
  do {                                                                                          \
    cudaError_t e = (call);                                                                     \
    if (e != cudaSuccess) {                                                                     \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, cudaGetErrorName(e), cudaGetErrorString(e)); \
      exit(1);                                                                                  \
    }                                                                                           \
  } while (0)
#define EXPECT(condition)                                   \
  do {                                                      \
    if (!(condition)) {                                     \
      printf("line %d: " #condition " is not so\n", __LINE__); \
      exit(1);                                              \
    }                                                       \
  } while (0)

const int N = 700;

__constant__ int bias[1];

__global__ void scale(const int *in, int *out, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * by;
}

__global__ void add(const int *a, const int *b, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i] + bias[0];
}

template <typename T>
__global__ void increment(T *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++data[i];
}

// The number of launches, which the graph's last node increments.
static void CUDART_CB count(void *calls) { ++*(int *)calls; }

static void captured() {
  int *in, *a, *b, *out, calls = 0;
  std::vector<int> host(N), result(N);
  CHECK(cudaMalloc(&in, N * sizeof(int)));
  CHECK(cudaMalloc(&a, N * sizeof(int)));
  CHECK(cudaMalloc(&b, N * sizeof(int)));
  CHECK(cudaMalloc(&out, N * sizeof(int)));
  cudaStream_t main_stream, side;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreate(&main_stream));
  CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  const int one = 1;
  CHECK(cudaMemcpyToSymbol(bias, &one, sizeof(int)));

  int by = 2;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(in, host.data(), N * sizeof(int), cudaMemcpyHostToDevice, main_stream));
  CHECK(cudaEventRecord(fork, main_stream));
  CHECK(cudaStreamWaitEvent(side, fork, 0));
  scale<<<3, 256, 0, main_stream>>>(in, a, N, by);
  scale<<<3, 256, 0, side>>>(in, b, N, 10 * by);
  CHECK(cudaEventRecord(join, side));
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(side, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  CHECK(cudaStreamWaitEvent(main_stream, join, 0));
  add<<<3, 256, 0, main_stream>>>(a, b, out, N);
  CHECK(cudaMemcpyAsync(result.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost, main_stream));
  CHECK(cudaLaunchHostFunc(main_stream, count, &calls));
  CHECK(cudaStreamEndCapture(main_stream, &graph));
  CHECK(cudaStreamIsCapturing(side, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  EXPECT(calls == 0);
  by = 99;

  size_t n_nodes = 0, n_roots = 0, n_edges = 0;
  CHECK(cudaGraphGetNodes(graph, NULL, &n_nodes));
  CHECK(cudaGraphGetRootNodes(graph, NULL, &n_roots));
  CHECK(cudaGraphGetEdges(graph, NULL, NULL, &n_edges));
  EXPECT(n_nodes == 6 && n_roots == 1 && n_edges == 6);
  CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
  CHECK(cudaGraphDestroy(graph));
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < N; ++i) host[i] = i + round;
    CHECK(cudaGraphLaunch(exec, main_stream));
    CHECK(cudaStreamSynchronize(main_stream));
    for (int i = 0; i < N; ++i) EXPECT(result[i] == 22 * (i + round) + 1);
  }
  EXPECT(calls == 3);

  // Captures again with other arguments, and updates the executable graph in place.
  CHECK(cudaStreamBeginCapture(side, cudaStreamCaptureModeRelaxed));
  increment<<<3, 256, 0, side>>>(out, N);
  increment<<<3, 256, 0, side>>>(out, N);
  CHECK(cudaStreamEndCapture(side, &graph));
  cudaGraphExec_t second;
  CHECK(cudaGraphInstantiate(&second, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphLaunch(second, side));
  CHECK(cudaStreamBeginCapture(side, cudaStreamCaptureModeThreadLocal));
  increment<<<3, 256, 0, side>>>(out, N);
  increment<<<1, 1, 0, side>>>(out, N);
  CHECK(cudaStreamEndCapture(side, &graph));
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(second, graph, &info));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphLaunch(second, side));
  CHECK(cudaMemcpyAsync(result.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost, side));
  CHECK(cudaStreamSynchronize(side));
  for (int i = 0; i < N; ++i) EXPECT(result[i] == 22 * (i + 2) + 1 + 3 + (i == 0));

  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphExecDestroy(second));
  CHECK(cudaStreamDestroy(main_stream));
  CHECK(cudaStreamDestroy(side));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  CHECK(cudaFree(in));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(out));
}

static void by_hand() {
  int *a, *b, *out, n = N, calls = 0, by = 5;
  std::vector<int> result(N);
  CHECK(cudaMalloc(&a, N * sizeof(int)));
  CHECK(cudaMalloc(&b, N * sizeof(int)));
  CHECK(cudaMalloc(&out, N * sizeof(int)));
  cudaGraph_t graph, child;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t fill_a, fill_b, times, sum, fetch, tell, whole, bump, empty;

  cudaMemsetParams fill = {0};
  fill.dst = a;
  fill.value = 7;
  fill.elementSize = 4;
  fill.width = N;
  fill.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill_a, graph, NULL, 0, &fill));
  fill.dst = b;
  fill.value = 1;
  fill.elementSize = 1;
  fill.width = N * sizeof(int);
  CHECK(cudaGraphAddMemsetNode(&fill_b, graph, NULL, 0, &fill));

  cudaKernelNodeParams kernel = {0};
  void *scale_args[] = {&a, &a, &n, &by};
  kernel.func = (void *)scale;
  kernel.gridDim = dim3(3);
  kernel.blockDim = dim3(256, 1, 1);
  kernel.kernelParams = scale_args;
  CHECK(cudaGraphAddKernelNode(&times, graph, &fill_a, 1, &kernel));
  void *add_args[] = {&a, &b, &out, &n};
  kernel.func = (void *)add;
  kernel.kernelParams = add_args;
  CHECK(cudaGraphAddKernelNode(&sum, graph, &times, 1, &kernel));
  CHECK(cudaGraphAddDependencies(graph, &fill_b, &sum, 1));

  // A child graph as a node: it adds one to every element.
  CHECK(cudaGraphCreate(&child, 0));
  void *bump_args[] = {&out, &n};
  cudaKernelNodeParams bumps = {(void *)increment<int>, dim3(3), dim3(256), 0, bump_args, NULL};
  CHECK(cudaGraphAddKernelNode(&bump, child, NULL, 0, &bumps));
  CHECK(cudaGraphAddChildGraphNode(&whole, graph, &sum, 1, child));
  CHECK(cudaGraphDestroy(child));

  CHECK(cudaGraphAddEmptyNode(&empty, graph, &whole, 1));
  CHECK(cudaGraphAddMemcpyNode1D(&fetch, graph, &empty, 1, result.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost));
  cudaHostNodeParams host = {count, &calls};
  CHECK(cudaGraphAddHostNode(&tell, graph, &fetch, 1, &host));
  by = -1;  // has no effect: the argument was captured

  cudaStream_t stream;
  cudaGraphExec_t exec;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(calls == 2);
  for (int i = 0; i < N; ++i) EXPECT(result[i] == 35 + 0x01010101 + 1 + 1);

  // New arguments for one node of the instantiated graph; the graph itself keeps the old ones.
  int other = 3;
  void *other_args[] = {&a, &a, &n, &other};
  kernel.func = (void *)scale;
  kernel.kernelParams = other_args;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, times, &kernel));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < N; ++i) EXPECT(result[i] == 21 + 0x01010101 + 1 + 1);
  cudaKernelNodeParams kept;
  CHECK(cudaGraphKernelNodeGetParams(times, &kept));
  EXPECT(kept.func == (void *)scale && kept.gridDim.x == 3 && *(int *)kept.kernelParams[3] == 5);

  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(out));
}

int main() {
  captured();
  by_hand();
  printf("ok\n");
  return 0;
}
