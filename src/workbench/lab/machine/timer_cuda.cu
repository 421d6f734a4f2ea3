// Times one call with events. A spinning kernel runs first, so that everything is queued before the first event is
// reached and the launch overhead of the host is not part of the time.
#include <chrono>

#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/vector.cuh"
#include "rafter/buffer.hpp"
#include "workbench/lab/machine/gpu_clock.hpp"
#include "workbench/lab/machine/timer.hpp"

namespace rafter::lab {

namespace {

constexpr unsigned hold_cycles = 60000;  // about 30 us: longer than it takes to queue a few launches

__global__ void hold(unsigned cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

__global__ void flush_write(float4* sweep, std::int64_t n, float value) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < n) sweep[i] = make_float4(value, value, value, value);
}

__global__ void flush_read(const float4* sweep, std::int64_t n, float impossible, float* sink) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < n && sweep[i].x == impossible) *sink = 1;
}

class CudaTimer final : public Timer {
 public:
  CudaTimer(const Stream& stream, KeepsLines keeps)
      : stream_(stream), keeps_(keeps), sweep_(stream, sweep_elements()), sink_(stream, 1) {
    core::check(cudaEventCreate(&start_), "cudaEventCreate");
    core::check(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  ~CudaTimer() override {
    core::check_noexcept(cudaEventDestroy(start_));
    core::check_noexcept(cudaEventDestroy(stop_));
  }
  CudaTimer(const CudaTimer&) = delete;
  CudaTimer& operator=(const CudaTimer&) = delete;

  bool supports(Regime) const override { return true; }

  std::optional<int> n_launches(const std::function<void()>& call) override {
    const Replay replay(stream_.handle(), call);
    std::size_t n = 0;
    core::check(cudaGraphGetNodes(replay.graph, nullptr, &n), "cudaGraphGetNodes");
    return static_cast<int>(n);
  }

  bool is_throttled() override {
    const unsigned clock = gpu_clock_mhz();
    steady_mhz_ = std::max(steady_mhz_, clock);
    return clock * 100u < steady_mhz_ * 97u;
  }

 private:
  double measure(Regime regime, const std::function<void()>& call, const std::function<void()>& prepare) override {
    switch (regime) {
      case Regime::cold:
        prepare();
        flush();
        return between_events(call);
      case Regime::warm:
        call();
        prepare();
        return between_events(call);
      case Regime::graph: return graph_ns(call, prepare);
      case Regime::wall: prepare(); return wall_ns(call);
    }
    return 0;
  }

  static std::int64_t sweep_elements() {
    int device = 0;
    int l2_bytes = 0;
    core::check(cudaGetDevice(&device), "cudaGetDevice");
    core::check(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device), "cudaDeviceGetAttribute");
    return 2 * std::int64_t{l2_bytes} / 16;
  }

  // Writes and then reads, so that the timed kernel does not wait for dirty lines to be written back.
  void flush() {
    if (keeps_ == KeepsLines::possibly) core::check(cudaCtxResetPersistingL2Cache(), "cudaCtxResetPersistingL2Cache");
    const std::int64_t n = sweep_.size();
    value_ += 1;
    core::launch(flush_write, ceil_div(n, 256), 256, 0, stream_, sweep_.data(), n, value_);
    core::launch(flush_read, ceil_div(n, 256), 256, 0, stream_, sweep_.data(), n, -1.f, sink_.data());
  }

  double between_events(const std::function<void()>& call) {
    core::launch(hold, 1, 1, 0, stream_, hold_cycles);
    core::check(cudaEventRecord(start_, stream_.handle()), "cudaEventRecord");
    call();
    core::check(cudaEventRecord(stop_, stream_.handle()), "cudaEventRecord");
    stream_.synchronize();
    const double late = ns_until_idle();
    float ms = 0;
    core::check(cudaEventElapsedTime(&ms, start_, stop_), "cudaEventElapsedTime");
    return 1e6 * static_cast<double>(ms) + late;
  }

  /// Waits for the whole GPU. Returns the time for which it worked on after the stream was done, on other streams: that
  /// is part of the call. A wait without work is shorter than `idle_wait`.
  static double ns_until_idle() {
    using namespace std::chrono;
    constexpr nanoseconds idle_wait = microseconds(30);
    const auto start = steady_clock::now();
    core::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    const nanoseconds waited = steady_clock::now() - start;
    return waited > idle_wait ? static_cast<double>(waited.count()) : 0;
  }

  /// A captured and instantiated call. Destroys its graph in all cases.
  struct Replay {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;

    Replay(cudaStream_t stream, const std::function<void()>& call) {
      core::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
      try {
        call();
      } catch (...) {
        core::check_noexcept(cudaStreamEndCapture(stream, &graph));
        core::check_noexcept(cudaGraphDestroy(graph));
        throw;
      }
      core::check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
      core::check(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
    }
    ~Replay() {
      core::check_noexcept(cudaGraphExecDestroy(exec));
      core::check_noexcept(cudaGraphDestroy(graph));
    }
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;
  };

  double graph_ns(const std::function<void()>& call, const std::function<void()>& prepare) {
    const Replay replay(stream_.handle(), call);
    const auto launch = [&] { core::check(cudaGraphLaunch(replay.exec, stream_.handle()), "cudaGraphLaunch"); };
    launch();
    prepare();
    return between_events(launch);
  }

  double wall_ns(const std::function<void()>& call) {
    stream_.synchronize();
    const auto start = std::chrono::steady_clock::now();
    call();
    core::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
  }

  Stream stream_;
  KeepsLines keeps_;
  Buffer<float4> sweep_;
  Buffer<float> sink_;
  float value_ = 0;
  unsigned steady_mhz_ = 0;
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

}  // namespace

std::unique_ptr<Timer> make_cuda_timer(const Stream& stream, KeepsLines keeps) {
  return std::make_unique<CudaTimer>(stream, keeps);
}

}  // namespace rafter::lab
