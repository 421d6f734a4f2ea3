// Measures GPU roofs with the simplest kernels that can reach them: the best of several widths.
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "library/core/cuda/launch.cuh"
#include "rafter/buffer.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/machine/timer.hpp"
#include "workbench/lab/roofs/roof_meter.hpp"
#include "workbench/lab/roofs/tensor_loops.cuh"

namespace rafter::lab {

namespace {

constexpr int threads = 256;
constexpr int n_tries = 5;

/// Sums `In` consecutive streams of n vectors into the `Out` streams after them. Each thread takes `PerThread` vectors
/// of each stream, a block's width apart; n is a multiple of the block's tile.
template <int In, int Out, int PerThread>
__global__ void stream_through(float4* data, std::int64_t n, float impossible) {
  const std::int64_t first = blockIdx.x * std::int64_t{threads * PerThread} + threadIdx.x;
  float4 v[PerThread][In > 0 ? In : 1];
#pragma unroll
  for (int k = 0; k < PerThread; ++k) {
#pragma unroll
    for (int s = 0; s < In; ++s) v[k][s] = data[s * n + first + k * threads];
  }
  float of_all = 0;
#pragma unroll
  for (int k = 0; k < PerThread; ++k) {
    float4 total = In > 0 ? v[k][0] : make_float4(impossible, impossible, impossible, impossible);
#pragma unroll
    for (int s = 1; s < In; ++s) {
      total = make_float4(total.x + v[k][s].x, total.y + v[k][s].y, total.z + v[k][s].z, total.w + v[k][s].w);
    }
    if (Out > 0) data[In * n + first + k * threads] = total;
    of_all += total.x + total.y + total.z + total.w;
  }
  if (Out == 0 && of_all == impossible) data[0].x = of_all;
}

/// Reads the n vectors with all blocks, pass after pass. Each block reads a different part in each pass, so that L1
/// does not hit.
__global__ void read_again(const float4* data, int n, int n_passes, float impossible, float* sink) {
  float total = impossible;
  for (int pass = 0; pass < n_passes; ++pass) {
    const int start = static_cast<int>((blockIdx.x + std::int64_t{pass} * gridDim.x / n_passes) % gridDim.x);
    for (int i = start * threads + threadIdx.x; i < n; i += static_cast<int>(gridDim.x) * threads) {
      const float4 v = __ldcg(data + i);
      total += v.x + v.y + v.z + v.w;
    }
  }
  if (total == impossible) *sink = total;
}

constexpr int n_chains = 8;
constexpr int n_fma_steps = 2048;

template <class T>
__global__ void fma(T factor, T impossible, T* sink) {
  T x[n_chains];
#pragma unroll
  for (int j = 0; j < n_chains; ++j) x[j] = static_cast<T>(threadIdx.x + j);
#pragma unroll 16
  for (int i = 0; i < n_fma_steps; ++i) {
#pragma unroll
    for (int j = 0; j < n_chains; ++j) x[j] = x[j] * factor + factor;
  }
  T total = 0;
#pragma unroll
  for (int j = 0; j < n_chains; ++j) total += x[j];
  if (total == impossible) *sink = total;
}

constexpr int n_exp_steps = 512;

__global__ void special(float impossible, float* sink) {
  float x[n_chains];
#pragma unroll
  for (int j = 0; j < n_chains; ++j) x[j] = static_cast<float>(j) * 0.1f;
#pragma unroll 16
  for (int i = 0; i < n_exp_steps; ++i) {
#pragma unroll
    for (int j = 0; j < n_chains; ++j) x[j] = __expf(-x[j]);
  }
  float total = 0;
#pragma unroll
  for (int j = 0; j < n_chains; ++j) total += x[j];
  if (total == impossible) *sink = total;
}

constexpr int tensor_threads = 128;
constexpr int n_tensor_steps = 2048;

template <Unit U>
__global__ void __launch_bounds__(tensor_threads) tensor(double* operations_per_block, float impossible, float* sink) {
  float total = 0;
  const double operations = tensor_steps<U>(n_tensor_steps, total);
  if (blockIdx.x == 0 && threadIdx.x == 0) *operations_per_block = operations;
  if (total == impossible) *sink = total;
}

__global__ void empty() {}

using Call = std::function<void()>;

/// A call and the bytes it moves.
struct Sweep {
  Call call;
  double bytes;
};

class CudaRoofMeter final : public RoofMeter {
 public:
  explicit CudaRoofMeter(const Stream& stream)
      : stream_(stream),
        l2_bytes_(core::device_attribute(cudaDevAttrL2CacheSize)),
        largest_(std::min(4. * (1 << 30), static_cast<double>(available_bytes(Device::cuda)) / 4)) {}

  std::string machine() const override {
    constexpr const char* method =
        "curve 3";  // version of the measurement; cached curves of other versions are ignored
    return describe_device(Device::cuda) + " | " + method;
  }

  std::vector<double> sizes() const override {
    std::vector<double> all{1 << 16};
    while (4 * all.back() <= largest_) all.push_back(4 * all.back());
    return all;
  }

  std::vector<double> rates(const Traffic& traffic, std::span<const double> sizes) override {
    std::vector<double> all;
    for (const double bytes : sizes) {
      double best = 0;
      for (const Sweep& sweep : sweeps_for(traffic, bytes)) {
        best = std::max(best, 1e9 * sweep.bytes / median_ns(Regime::cold, sweep.call));
      }
      all.push_back(best);
    }
    return all;
  }

  double cache_bytes_per_s() override {
    constexpr int n_passes = 64;
    const auto n = static_cast<int>(l2_bytes_ / 4 / 16);
    const std::int64_t blocks = 4 * stream_.n_multiprocessors();
    const float4* const data = arena();
    const double ns = median_ns(Regime::warm, [&] {
      core::launch(read_again, blocks, threads, 0, stream_, data, n, n_passes, -1.f, sink<float>());
    });
    return 1e9 * 16. * n * n_passes / ns;
  }
  double cache_bytes() const override { return static_cast<double>(l2_bytes_); }
  double sector_bytes() const override { return 32; }

  double launch_ns() override {
    return median_ns(Regime::warm, [&] { core::launch(empty, 1, 32, 0, stream_); });
  }

  double operations_per_s(Unit unit) override {
    switch (unit) {
      case Unit::fp32: return fma_rate<float>();
      case Unit::fp64: return fma_rate<double>();
      case Unit::tensor_fp16: return tensor_rate(tensor<Unit::tensor_fp16>);
      case Unit::tensor_bf16: return tensor_rate(tensor<Unit::tensor_bf16>);
      case Unit::tensor_tf32: return tensor_rate(tensor<Unit::tensor_tf32>);
      case Unit::tensor_fp8: return tensor_rate(tensor<Unit::tensor_fp8>);
      case Unit::special: return special_rate();
    }
    return 0;
  }

  void release() override {
    timer_.reset();
    arena_.reset();
  }

 private:
  Timer& timer() {
    if (!timer_) timer_ = make_cuda_timer(stream_);
    return *timer_;
  }
  /// Returns memory for bandwidth measurements, allocated on first use. Units are measured without it, while a case
  /// uses the memory.
  float4* arena() {
    if (!arena_) {
      const auto n = static_cast<std::int64_t>(sizes().back()) / 16;
      arena_.emplace(stream_, n);
      // Fresh pages may be unbacked zero pages: write to them first.
      core::launch(stream_through<0, 1, 1>, n / threads, threads, 0, stream_, arena_->data(), n, 1.5f);
    }
    return arena_->data();
  }
  template <class T>
  T* sink() {
    return reinterpret_cast<T*>(sink_.data());
  }

  double median_ns(Regime regime, const Call& call) {
    std::vector<double> times;
    for (int i = 0; i < n_tries; ++i) times.push_back(timer().time_ns(regime, call));
    std::nth_element(times.begin(), times.begin() + n_tries / 2, times.end());
    return times[n_tries / 2];
  }

  template <int In, int Out, int PerThread>
  Sweep sweep(double bytes) {
    constexpr int tile = threads * PerThread;
    const std::int64_t blocks = std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes) / 16 / (In + Out) / tile);
    const auto call = [=, this, data = arena()] {
      core::launch(stream_through<In, Out, PerThread>, blocks, threads, 0, stream_, data, blocks * tile, -1.f);
    };
    return {call, 16. * (In + Out) * static_cast<double>(blocks * tile)};
  }

  std::vector<Sweep> sweeps_for(const Traffic& traffic, double bytes) {
    if (traffic.n_out == 0) return {sweep<1, 0, 2>(bytes), sweep<1, 0, 4>(bytes), sweep<1, 0, 8>(bytes)};
    switch (traffic.n_in) {
      case 0: return {sweep<0, 1, 1>(bytes), sweep<0, 1, 4>(bytes)};
      case 1: return {sweep<1, 1, 1>(bytes), sweep<1, 1, 2>(bytes), sweep<1, 1, 4>(bytes)};
      case 2: return {sweep<2, 1, 1>(bytes), sweep<2, 1, 2>(bytes)};
      default: return {sweep<3, 1, 1>(bytes), sweep<3, 1, 2>(bytes)};
    }
  }

  /// Returns the rate of `n` operations per thread, over enough blocks for several waves.
  double rate(const std::function<void(std::int64_t n_blocks)>& launch, double n) {
    const std::int64_t n_blocks = std::int64_t{stream_.n_multiprocessors()} * 8 * 16;
    return 1e9 * n * static_cast<double>(n_blocks) * threads / median_ns(Regime::warm, [&] { launch(n_blocks); });
  }

  template <class T>
  double fma_rate() {
    const auto launch = [&](std::int64_t n_blocks) {
      core::launch(fma<T>, n_blocks, threads, 0, stream_, T(0.999), T(-1), sink<T>());
    };
    return rate(launch, 2. * n_chains * n_fma_steps);
  }

  double special_rate() {
    return rate(
        [&](std::int64_t n_blocks) { core::launch(special, n_blocks, threads, 0, stream_, -1.f, sink<float>()); },
        1. * n_chains * n_exp_steps);
  }

  double tensor_rate(void (*kernel)(double*, float, float*)) {
    Buffer<double> operations(stream_, 1);
    const std::int64_t n_blocks = std::int64_t{stream_.n_multiprocessors()} * 12;
    const Call call = [&] {
      core::launch(kernel, n_blocks, tensor_threads, 0, stream_, operations.data(), -1.f, sink<float>());
    };
    const double ns = median_ns(Regime::warm, call);
    double per_block = 0;
    operations.copy_to({&per_block, 1});
    return 1e9 * per_block * static_cast<double>(n_blocks) / ns;
  }

  Stream stream_;
  int l2_bytes_;
  double largest_;
  Buffer<double> sink_{stream_, 1};
  std::unique_ptr<Timer> timer_{};
  std::optional<Buffer<float4>> arena_{};
};

}  // namespace

std::unique_ptr<RoofMeter> make_cuda_roof_meter(const Stream& stream) {
  return std::make_unique<CudaRoofMeter>(stream);
}

}  // namespace rafter::lab
