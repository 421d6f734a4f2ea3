// Streams of a host program such as PyTorch: one Stream per call, its allocator, its graphs, its devices.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "kernels/all_ops.hpp"
#include "library/core/stream/cuda_check.hpp"
#include "rafter/rafter.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter {
namespace {

using core::check;

/// A stream that the library does not own.
class HostStream {
 public:
  HostStream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "create"); }
  ~HostStream() {
    Stream::cuda(handle_).release();
    core::check_noexcept(cudaStreamDestroy(handle_));
  }
  HostStream(const HostStream&) = delete;
  HostStream& operator=(const HostStream&) = delete;
  operator cudaStream_t() const { return handle_; }

 private:
  cudaStream_t handle_ = nullptr;
};

class Graph {
 public:
  template <class Work>
  Graph(cudaStream_t stream, const Work& work) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin capture");
    work();
    check(cudaStreamEndCapture(stream, &graph), "end capture");
    check(cudaGraphInstantiate(&replay_, graph, 0), "instantiate");
    check(cudaGraphDestroy(graph), "destroy");
  }
  ~Graph() { core::check_noexcept(cudaGraphExecDestroy(replay_)); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  void launch(cudaStream_t stream) const { check(cudaGraphLaunch(replay_, stream), "launch"); }

 private:
  cudaGraphExec_t replay_ = nullptr;
};

/// Counts allocations of streams; memory comes from CUDA's pool.
class CountingPool final : public MemoryResource {
 public:
  void* allocate(std::int64_t bytes, CUstream_st* stream) override {
    const std::lock_guard lock(mutex_);
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, static_cast<std::size_t>(bytes), stream), "cudaMallocAsync");
    check(cudaGetDevice(&last_device), "cudaGetDevice");
    ++n_allocations;
    bytes_in_use += bytes;
    return memory;
  }
  void deallocate(void* memory, std::int64_t bytes, CUstream_st* stream) noexcept override {
    const std::lock_guard lock(mutex_);
    core::check_noexcept(cudaFreeAsync(memory, stream));
    bytes_in_use -= bytes;
  }
  int n_allocations = 0;
  int last_device = -1;
  std::int64_t bytes_in_use = 0;

 private:
  std::mutex mutex_;
};

/// Tests that need a GPU have cuda in their names.
class HostStreams_cuda : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(Device::cuda)) GTEST_SKIP() << *reason;
    pool_ = std::make_shared<CountingPool>();
    set_memory_resource(Device::cuda, pool_);
  }
  void TearDown() override {
    if (pool_ != nullptr) set_memory_resource(Device::cuda, nullptr);
  }

  static std::size_t free_bytes() {
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free;
  }

  std::shared_ptr<CountingPool> pool_;
};

TEST_F(HostStreams_cuda, OneStreamPerCallAllocatesNothing) {
  const HostStream handle;
  AllOps ops(Stream::cuda(handle), 100000, 3);
  ops.enqueue(Stream::cuda(handle));
  ops.check();
  const int n_allocations = pool_->n_allocations;
  const std::size_t free = free_bytes();
  for (int i = 0; i < 1000; ++i) static_cast<void>(Stream::cuda(handle));
  for (int i = 0; i < 20; ++i) ops.enqueue(Stream::cuda(handle));
  ops.check();
  EXPECT_EQ(pool_->n_allocations, n_allocations);
  EXPECT_EQ(free_bytes(), free);
}

TEST_F(HostStreams_cuda, UsesTheLibrarysPoolWithoutAResource) {
  set_memory_resource(Device::cuda, nullptr);
  const HostStream handle;
  AllOps ops(Stream::cuda(handle), 100000, 3);
  ops.enqueue(Stream::cuda(handle));
  ops.check();
  const std::size_t free = free_bytes();
  for (int i = 0; i < 20; ++i) ops.enqueue(Stream::cuda(handle));
  ops.check();
  EXPECT_EQ(free_bytes(), free);
  EXPECT_EQ(pool_->n_allocations, 0);
}

TEST_F(HostStreams_cuda, ReleasesAllMemory) {
  {
    const HostStream handle;
    AllOps ops(Stream::cuda(handle), 100000, 3);
    ops.enqueue(Stream::cuda(handle));
    ops.check();
    EXPECT_GT(pool_->bytes_in_use, 0);
  }
  EXPECT_EQ(pool_->bytes_in_use, 0);
  {
    const Stream owned = Stream::on(Device::cuda);
    AllOps ops(owned, 1000, 3);
    ops.enqueue(Stream::cuda(owned.handle()));  // the same stream
    ops.check();
    EXPECT_GT(owned.scratch_bytes(), 0);
  }
  EXPECT_EQ(pool_->bytes_in_use, 0);
}

TEST_F(HostStreams_cuda, CapturesAfterReserve) {
  const HostStream handle;
  AllOps ops(Stream::cuda(handle), 100000, 3);
  Stream::cuda(handle).reserve();
  const int n_allocations = pool_->n_allocations;
  const Graph graph(handle, [&] { ops.enqueue(Stream::cuda(handle)); });
  for (int i = 0; i < 3; ++i) {
    graph.launch(handle);
    ops.check();
  }
  EXPECT_EQ(pool_->n_allocations, n_allocations);
}

TEST_F(HostStreams_cuda, CapturesWithoutReserveAfterTheSameOps) {
  const HostStream handle;
  AllOps ops(Stream::cuda(handle), 100000, 3);
  ops.enqueue(Stream::cuda(handle));
  ops.check();
  const Graph graph(handle, [&] { ops.enqueue(Stream::cuda(handle)); });
  graph.launch(handle);
  ops.check();
}

/// Whether GPU 0 can access all memory of the host, so that no host pointer is wrong.
bool has_pageable_access() {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, cudaDevAttrPageableMemoryAccess, 0), "cudaDeviceGetAttribute");
  return value != 0;
}

TEST_F(HostStreams_cuda, PointerChecksRefuseHostMemoryAndLeaveTheContextUsable) {
  if (has_pageable_access()) GTEST_SKIP() << "the GPU can access all host memory";
  const HostStream handle;
  const Stream stream = Stream::cuda(handle);
  stream.check_pointers(PointerCheck::on);
  std::vector<float> host(1000, 1.f);
  Buffer<float> in(stream, host), out(stream, 1);
  const auto on_host = DeviceSpan<float>::unchecked(host);
  lab::expect_error(ErrorCode::bad_argument, "sum: in is in host memory", [&] { sum(stream, on_host, out); });
  lab::expect_error(ErrorCode::bad_argument, "sum: out is in host memory", [&] { sum(stream, in, on_host.first(1)); });
  lab::expect_error(ErrorCode::bad_argument, "device_span: data is in host memory", [&] { device_span(stream, host); });
  sum(stream, in, out);
  std::vector<float> result(1);
  out.copy_to(result);
  EXPECT_EQ(result[0], 1000.f);
  stream.check_pointers(PointerCheck::off);
}

TEST_F(HostStreams_cuda, AdoptsMemoryThatTheDeviceCanAccess) {
  const HostStream handle;
  const Stream stream = Stream::cuda(handle);
  void* memory[3] = {};
  check(cudaMalloc(&memory[0], 4000), "cudaMalloc");
  check(cudaMallocManaged(&memory[1], 4000, cudaMemAttachGlobal), "cudaMallocManaged");
  check(cudaMallocHost(&memory[2], 4000), "cudaMallocHost");
  auto *const device = static_cast<float*>(memory[0]), *const managed = static_cast<float*>(memory[1]),
              *const pinned = static_cast<float*>(memory[2]);
  for (float* array : {device, managed, pinned}) {
    EXPECT_EQ(device_span(stream, array, 1000).data(), array);
    fill(stream, 2.f, device_span(stream, array, 1000));
  }
  stream.synchronize();
  EXPECT_EQ(managed[999], 2.f);
  EXPECT_EQ(pinned[999], 2.f);
  lab::expect_error(ErrorCode::bad_argument, "device_span: data is in memory of a GPU",
                    [&] { device_span(Stream::cpu(), device, 1000); });
  EXPECT_EQ(device_span(Stream::cpu(), managed, 1000).size(), 1000);
  EXPECT_EQ(device_span(Stream::cpu(), pinned, 1000).size(), 1000);
  check(cudaFree(device), "cudaFree");
  check(cudaFree(managed), "cudaFree");
  check(cudaFreeHost(pinned), "cudaFreeHost");
}

TEST_F(HostStreams_cuda, PointerChecksAreLegalDuringACapture) {
  const HostStream handle;
  const Stream stream = Stream::cuda(handle);
  stream.check_pointers(PointerCheck::on);
  Buffer<float> out(stream, 10);
  const Graph graph(handle, [&] { fill(stream, 5.f, out); });
  graph.launch(handle);
  std::vector<float> result(10);
  out.copy_to(result);
  EXPECT_EQ(result[9], 5.f);
}

TEST_F(HostStreams_cuda, RefusesACaptureWithoutScratchAndContinues) {
  const HostStream handle;
  Buffer<float> in(Stream::cuda(handle), std::vector<float>(1000, 1.f));
  Buffer<float> out(Stream::cuda(handle), 1);
  const Graph graph(handle, [&] {
    try {
      sum(Stream::cuda(handle), in, out);
      ADD_FAILURE() << "allocated scratch during a capture";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("Stream::reserve before the capture"), std::string::npos);
    }
    fill(Stream::cuda(handle), 5.f, out.span());  // needs no scratch
  });
  graph.launch(handle);
  std::vector<float> result(1);
  out.copy_to(result);
  EXPECT_EQ(result[0], 5.f);
}

TEST_F(HostStreams_cuda, ReplaysAGraphAfterScratchHasGrown) {
  const HostStream handle;
  AllOps ops(Stream::cuda(handle), 100000, 3);
  ops.enqueue(Stream::cuda(handle));
  const Graph graph(handle, [&] { ops.enqueue(Stream::cuda(handle)); });
  Stream::cuda(handle).reserve(Stream::cuda(handle).scratch_bytes() + (8 << 20));
  Buffer<char> poison(Stream::cuda(handle), std::vector<char>(8 << 20, '\xff'));  // would reuse freed memory
  AllOps others(Stream::cuda(handle), 1000000, 5);
  others.enqueue(Stream::cuda(handle));
  graph.launch(handle);
  others.enqueue(Stream::cuda(handle));
  ops.check();
  others.check();
}

TEST_F(HostStreams_cuda, ManyThreadsUseManyStreamsConcurrently) {
  std::vector<std::unique_ptr<HostStream>> handles;
  for (int i = 0; i < 8; ++i) handles.push_back(std::make_unique<HostStream>());
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 8; ++i) {  // every thread on every stream
        const cudaStream_t handle = *handles[(t + i) % 8];
        AllOps ops(Stream::cuda(handle), static_cast<std::int64_t>(30000 + 1000 * t), static_cast<int>(t) + 1);
        for (int k = 0; k < 5; ++k) ops.enqueue(Stream::cuda(handle));
        ops.check();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(HostStreams_cuda, ThreadsUsePerThreadDefaultStreams) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      AllOps ops(Stream::cuda(cudaStreamPerThread), 50000, t + 1);
      for (int k = 0; k < 10; ++k) ops.enqueue(Stream::cuda(cudaStreamPerThread));
      ops.check();
      Stream::cuda(cudaStreamPerThread).release();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool_->bytes_in_use, 0);
  const Stream legacy = Stream::cuda();
  {
    AllOps ops(legacy, 50000, 2);
    ops.enqueue(Stream::cuda(cudaStreamLegacy));  // another handle of the same stream
    ops.check();
  }
  legacy.release();
  EXPECT_EQ(pool_->bytes_in_use, 0);
}

TEST_F(HostStreams_cuda, TreatsAReusedHandleAsANewStream) {
  std::vector<cudaStream_t> handles;
  const Stream home = Stream::on(Device::cuda);
  AllOps ops(home, 3000000, 2);
  for (int i = 0; i < 20; ++i) {  // destroyed while work may be pending; CUDA reuses the handle
    cudaStream_t handle = nullptr;
    check(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking), "create");
    AllOps small(Stream::cuda(handle), 1000, 1 + i % 5);
    small.enqueue(Stream::cuda(handle));
    small.check();
    if (i % 2 == 0) Stream::cuda(handle).release();
    check(cudaStreamDestroy(handle), "destroy");
  }
  ops.enqueue(home);
  ops.check();
}

TEST_F(HostStreams_cuda, RunOnTheirOwnDevices) {
  int n_devices = 0;
  check(cudaGetDeviceCount(&n_devices), "count");
  EXPECT_THROW(static_cast<void>(Stream::cuda(nullptr, n_devices)), Error);
  for (int device = n_devices - 1; device >= 0; --device) {
    const Stream stream = Stream::on(Device::cuda, device);
    AllOps ops(stream, 100000, device + 1);
    ops.enqueue(stream);
    ops.check();
    EXPECT_EQ(pool_->last_device, device);
    int current = -1;
    check(cudaGetDevice(&current), "cudaGetDevice");
    EXPECT_EQ(current, 0);
  }
  if (n_devices < 2) GTEST_SKIP() << "only one GPU; further devices were not tested";
}

}  // namespace
}  // namespace rafter
