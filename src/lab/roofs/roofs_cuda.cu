// GPU roofs: the plainest kernels that can reach them, at several widths, the best of each.
#include <algorithm>
#include <initializer_list>
#include <vector>

#include "core/launch.cuh"
#include "lab/measure/timer.hpp"
#include "lab/roofs/roofs.hpp"
#include "rafter/buffer.hpp"

namespace rafter::lab {

namespace {

constexpr int threads = 256;
constexpr std::int64_t n_vectors = std::int64_t{1} << 27;  // 2 GiB of 16-byte vectors
constexpr std::int64_t n_bytes = n_vectors * 16;

/// Each thread touches `PerThread` vectors, a block's width apart.
template <int PerThread>
__global__ void read(const float4* in, float impossible, float* sink) {
  const std::int64_t first = blockIdx.x * std::int64_t{threads * PerThread} + threadIdx.x;
  float4 v[PerThread];
#pragma unroll
  for (int k = 0; k < PerThread; ++k) v[k] = in[first + k * threads];
  float total = 0;
#pragma unroll
  for (int k = 0; k < PerThread; ++k) total += v[k].x + v[k].y + v[k].z + v[k].w;
  if (total == impossible) *sink = total;
}

template <int PerThread>
__global__ void write(float4* out, float value) {
  const std::int64_t first = blockIdx.x * std::int64_t{threads * PerThread} + threadIdx.x;
#pragma unroll
  for (int k = 0; k < PerThread; ++k) out[first + k * threads] = make_float4(value, value, value, value);
}

template <int PerThread>
__global__ void copy(const float4* in, float4* out) {
  const std::int64_t first = blockIdx.x * std::int64_t{threads * PerThread} + threadIdx.x;
  float4 v[PerThread];
#pragma unroll
  for (int k = 0; k < PerThread; ++k) v[k] = in[first + k * threads];
#pragma unroll
  for (int k = 0; k < PerThread; ++k) out[first + k * threads] = v[k];
}

constexpr int fma_chains = 8;
constexpr int fma_steps = 4096;

__global__ void fma(float factor, float impossible, float* sink) {
  float x[fma_chains];
#pragma unroll
  for (int j = 0; j < fma_chains; ++j) x[j] = static_cast<float>(threadIdx.x + j);
#pragma unroll 16
  for (int i = 0; i < fma_steps; ++i) {
#pragma unroll
    for (int j = 0; j < fma_chains; ++j) x[j] = x[j] * factor + factor;
  }
  float total = 0;
#pragma unroll
  for (int j = 0; j < fma_chains; ++j) total += x[j];
  if (total == impossible) *sink = total;
}

__global__ void empty() {}

double median_ns(Timer& timer, Regime regime, const std::function<void()>& call) {
  std::vector<double> times;
  for (int i = 0; i < 3; ++i) timer.time_ns(regime, call);
  for (int i = 0; i < 15; ++i) times.push_back(timer.time_ns(regime, call));
  std::nth_element(times.begin(), times.begin() + 7, times.end());
  return times[7];
}

}  // namespace

Roofs measure_cuda_roofs(const Stream& stream) {
  Buffer<float4> a(stream, n_vectors);
  Buffer<float4> b(stream, n_vectors);
  Buffer<float> sink(stream, 1);
  const auto timer = make_cuda_timer(stream);
  const auto best_rate = [&](double amount, std::initializer_list<std::function<void()>> calls) {
    double best = 0;
    for (const auto& call : calls) best = std::max(best, 1e9 * amount / median_ns(*timer, Regime::cold, call));
    return best;
  };
  const auto launch = [&](auto kernel, int per_thread, auto... args) {
    return [=, &stream] { core::launch(kernel, n_vectors / threads / per_thread, threads, 0, stream, args...); };
  };
  float4* const to = b.data();
  const float4* const from = a.data();
  const std::int64_t fma_blocks = std::int64_t{stream.n_multiprocessors()} * 8 * 16;

  // Random bits rather than zeros would not change a copy's time, but a zero page could: write something first.
  launch(write<1>, 1, a.data(), 1.5f)();
  Roofs roofs;
  roofs.write_bytes_per_s = best_rate(n_bytes, {launch(write<1>, 1, to, 2.5f), launch(write<4>, 4, to, 2.5f)});
  roofs.read_bytes_per_s =
      best_rate(n_bytes, {launch(read<2>, 2, from, -1.f, sink.data()), launch(read<4>, 4, from, -1.f, sink.data()),
                          launch(read<8>, 8, from, -1.f, sink.data())});
  roofs.copy_bytes_per_s = best_rate(
      2. * n_bytes, {launch(copy<1>, 1, from, to), launch(copy<2>, 2, from, to), launch(copy<4>, 4, from, to)});
  roofs.fma_flops_per_s =
      best_rate(2. * fma_blocks * threads * fma_chains * fma_steps,
                {[&] { core::launch(fma, fma_blocks, threads, 0, stream, 0.999f, -1.f, sink.data()); }});
  roofs.launch_ns = median_ns(*timer, Regime::warm, [&] { core::launch(empty, 1, 32, 0, stream); });
  return roofs;
}

}  // namespace rafter::lab
