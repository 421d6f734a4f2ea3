// Graphs and stream capture: captured work, and the errors of CUDA.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <vector>

namespace {

class Graphs : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&other_), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&independent_, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&event_), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&memory_, bytes), cudaSuccess);
    ASSERT_EQ(cudaMemset(memory_, 0, bytes), cudaSuccess);
  }
  void TearDown() override {
    for (const cudaStream_t stream : {stream_, other_, independent_}) EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(event_), cudaSuccess);
    EXPECT_EQ(cudaFree(memory_), cudaSuccess);
    cudaGetLastError();
  }

  void begin(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    ASSERT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
  }
  cudaError_t fill(cudaStream_t stream, int value = 1) { return cudaMemsetAsync(memory_, value, bytes, stream); }
  /// Expects that the capture is invalidated: enqueuing work and ending the capture return the error.
  void expect_lost(cudaStream_t stream) {
    cudaStreamCaptureStatus status{};
    EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
    EXPECT_EQ(status, cudaStreamCaptureStatusInvalidated);
    EXPECT_EQ(fill(stream), cudaErrorStreamCaptureInvalidated);
    cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(this);
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(graph, nullptr);
    EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
    EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  }
  unsigned char first_byte() {
    unsigned char byte = 0;
    EXPECT_EQ(cudaMemcpy(&byte, memory_, 1, cudaMemcpyDeviceToHost), cudaSuccess);
    return byte;
  }

  static constexpr std::size_t bytes = 64;
  cudaStream_t stream_{}, other_{}, independent_{};
  cudaEvent_t event_{};
  unsigned char* memory_{};
};

TEST_F(Graphs, LaunchPerformsCapturedWork) {
  cudaGraph_t graph{};
  cudaGraphExec_t exec{};
  begin(stream_);
  EXPECT_EQ(fill(stream_, 7), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  EXPECT_EQ(first_byte(), 0);
  EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  EXPECT_EQ(first_byte(), 0);
  EXPECT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
  EXPECT_EQ(first_byte(), 7);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, stream_), cudaErrorInvalidValue);
}

TEST_F(Graphs, CaptureEndsInTheStreamItBeganIn) {
  cudaGraph_t graph{};
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorIllegalState);
  begin(stream_);
  EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  std::thread([&] { EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureWrongThread); }).join();
  EXPECT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other_, event_, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(other_, &graph), cudaErrorStreamCaptureUnmatched);
  expect_lost(stream_);
}

TEST_F(Graphs, WaitingForCapturedWorkInvalidatesTheCapture) {
  void* memory{};
  const std::vector<std::function<cudaError_t()>> calls{
      [&] { return cudaStreamSynchronize(stream_); }, [&] { return cudaStreamQuery(stream_); },
      [] { return cudaDeviceSynchronize(); }, [&] { return cudaMalloc(&memory, 4); },
      [&] { return cudaFree(memory_); }};
  for (const auto& call : calls) {
    begin(stream_);
    EXPECT_EQ(call(), cudaErrorStreamCaptureUnsupported);
    expect_lost(stream_);
  }
}

TEST_F(Graphs, DefaultStreamConflictsWithBlockingStreamsOnly) {
  begin(stream_);
  EXPECT_EQ(fill(nullptr), cudaErrorStreamCaptureImplicit);
  expect_lost(stream_);
  begin(stream_);
  EXPECT_EQ(cudaMemset(memory_, 1, bytes), cudaErrorStreamCaptureImplicit);
  expect_lost(stream_);
  begin(independent_);
  EXPECT_EQ(fill(nullptr), cudaSuccess);
  EXPECT_EQ(fill(other_), cudaSuccess);
  cudaGraph_t graph{};
  EXPECT_EQ(cudaStreamEndCapture(independent_, &graph), cudaSuccess);
  std::size_t n = 1;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &n), cudaSuccess);
  EXPECT_EQ(n, 0U);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, RelaxedCaptureAllowsUnsafeCalls) {
  cudaGraph_t graph{};
  void* memory{};
  begin(stream_, cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaMalloc(&memory, 4), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  begin(stream_, cudaStreamCaptureModeThreadLocal);
  std::thread([&] { EXPECT_EQ(cudaMalloc(&memory, 4), cudaSuccess); }).join();
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, ForkedStreamsMustJoin) {
  cudaGraph_t graph{};
  begin(stream_);
  EXPECT_EQ(fill(stream_), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other_, event_, 0), cudaSuccess);
  EXPECT_EQ(fill(other_), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(fill(other_), cudaSuccess);  // its capture has ended

  begin(stream_);
  EXPECT_EQ(fill(stream_), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other_, event_, 0), cudaSuccess);
  EXPECT_EQ(fill(other_), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event_, other_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream_, event_, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, EventsDoNotCrossCaptureBoundaries) {
  EXPECT_EQ(cudaEventRecord(event_, other_), cudaSuccess);
  begin(stream_);
  EXPECT_EQ(cudaStreamWaitEvent(stream_, event_, 0), cudaErrorStreamCaptureIsolation);
  expect_lost(stream_);

  begin(stream_);
  begin(other_);
  EXPECT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event_), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaStreamWaitEvent(other_, event_, 0), cudaErrorStreamCaptureMerge);
  expect_lost(stream_);
  expect_lost(other_);
  EXPECT_EQ(cudaEventQuery(event_), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaEventRecord(event_, other_), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event_), cudaSuccess);
}

TEST_F(Graphs, CaptureCanBeQueried) {
  cudaStreamCaptureStatus status{};
  unsigned long long id = 0;
  cudaGraph_t graph{}, ended{};
  const cudaGraphNode_t* after{};
  std::size_t n = 0;
  begin(stream_);
  EXPECT_EQ(fill(stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamGetCaptureInfo(stream_, &status, &id), cudaSuccess);
  EXPECT_EQ(cudaStreamGetCaptureInfo(stream_, &status, &id, &graph, &after, &n), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_NE(id, 0U);
  ASSERT_EQ(n, 1U);
  cudaGraphNodeType type{};
  EXPECT_EQ(cudaGraphNodeGetType(after[0], &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeMemset);
  cudaGraphNode_t empty{};
  EXPECT_EQ(cudaGraphAddEmptyNode(&empty, graph, after, n), cudaSuccess);
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream_, &empty, 1, cudaStreamSetCaptureDependencies), cudaSuccess);
  EXPECT_EQ(fill(stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &ended), cudaSuccess);
  EXPECT_EQ(ended, graph);
  EXPECT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, &n), cudaSuccess);
  EXPECT_EQ(n, 2U);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, RejectsCyclesAndForeignNodes) {
  cudaGraph_t graph{}, other{};
  cudaGraphExec_t exec{};
  cudaGraphNode_t a{}, b{}, foreign{}, c{};
  EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphCreate(&other, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphAddEmptyNode(&a, graph, nullptr, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphAddEmptyNode(&b, graph, &a, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphAddEmptyNode(&foreign, other, nullptr, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphAddEmptyNode(&c, graph, &foreign, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddDependencies(graph, &a, &b, 1), cudaErrorInvalidValue);  // the edge exists
  EXPECT_EQ(cudaGraphAddDependencies(graph, &b, &a, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphRemoveDependencies(graph, &b, &a, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroyNode(b), cudaSuccess);
  cudaGraphExecUpdateResultInfo info{};
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(other), cudaSuccess);
}

TEST_F(Graphs, CloneKeepsItsParametersAndNodesCanBeDisabled) {
  cudaGraph_t graph{}, clone{};
  cudaGraphExec_t exec{};
  cudaGraphNode_t node{}, in_clone{};
  EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  cudaMemsetParams parameters{memory_, 0, 0x0201, 2, bytes / 2, 1};
  EXPECT_EQ(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphClone(&clone, graph), cudaSuccess);
  EXPECT_EQ(cudaGraphNodeFindInClone(&in_clone, node, clone), cudaSuccess);
  parameters.value = 0x0403;
  EXPECT_EQ(cudaGraphMemsetNodeSetParams(node, &parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphMemsetNodeGetParams(in_clone, &parameters), cudaSuccess);
  EXPECT_EQ(parameters.value, 0x0201U);
  EXPECT_EQ(cudaGraphInstantiate(&exec, clone, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
  EXPECT_EQ(first_byte(), 1);
  EXPECT_EQ(cudaGraphNodeSetEnabled(exec, in_clone, 0), cudaSuccess);
  EXPECT_EQ(cudaMemset(memory_, 9, bytes), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
  EXPECT_EQ(first_byte(), 9);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(clone), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

}  // namespace
