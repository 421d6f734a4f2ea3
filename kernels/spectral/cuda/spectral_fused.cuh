// The original configuration in one kernel. All weights are in shared memory, and a window's numbers leave registers
// only where another lane needs them.
//
// Ten warps, a group, have 8 windows at a time, the columns of every mma.m16n8k16, or 16; matrices of weights are its
// rows. Warp 2 f + h of a group:
//
//            its numbers                      from                      to
//   slices   frame f, slices 32 h .. + 31     the spectra, LayerNorm    its own columns, through `rows`, which is its
//   own z        all latents, of its 32 slices    those                     `rows`: summed by the warp of the 8 windows
//   latent   8 windows, all latents           `rows` of all warps       `latents`
//   y        outputs 32 (2 f + h) .. + 31     `latents`                 memory, or squared errors
//
// A group waits for itself alone, twice: when all parts of z are there, and all latents. Two groups in a block share
// the weights, and one calculates while the other waits.
//
// In float32, a product is three of float16: each factor is the sum of its upper 11 bits and a rest, and rest times
// rest is left out (2^-22 of a product). Inputs of a product may come in any order if the weights' come in the same:
// the four lanes of a column hold a quarter of its numbers in a row each, as they loaded them (FragmentLayout).
#pragma once

#include "library/core/cuda/dynamic_shared.cuh"
#include "library/ptx/cache_hints.cuh"
#include "library/ptx/convert.cuh"
#include "library/ptx/matrix.cuh"
#include "library/ptx/memory_order.cuh"
#include "library/ptx/named_barrier.cuh"
#include "library/ptx/tma.cuh"
#include "spectral/cuda/spectral_layers.cuh"
#include "spectral/spectral_pack.hpp"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

struct FusedArgs {
  const float* x;  // [batch][frames][mels]
  const std::byte* weights;
  std::int64_t batch;
  float* y;         // or null
  float* scores;    // or null
  bool is_aligned;  // x, to 16 bytes
};

/// Groups of ten warps in a block, and their columns of 8 windows.
template <int Groups, int Columns, bool Exact>
struct FusedPlan {
  using Layout = FragmentLayout;
  static constexpr int groups = Groups;
  static constexpr int columns = Columns;
  static constexpr bool exact = Exact;
  static constexpr int windows = 8 * Columns;  // of a group
  static constexpr int group_threads = 32 * Layout::n_warps;
  static constexpr int threads = Groups * group_threads;
  static constexpr int window = Layout::frames * Layout::mels;
  static constexpr int row = 32 + 4;  // floats; columns of 32 numbers lie in all banks

  /// What a group's warps give each other.
  struct Shared {
    float rows[Layout::n_warps][windows][row];
    float latents[windows][row];
    float errors[Layout::n_warps][windows];
  };
  static constexpr int shared_bytes = Layout::size + Groups * static_cast<int>(sizeof(Shared));
};

/// This lane's numbers of a column, as mma takes them: of each 16, its four.
template <int Steps>
struct Column {
  unsigned upper[Steps][2];
  unsigned rest[Steps][2];

  __device__ explicit Column(const float (&values)[4 * Steps]) {
#pragma unroll
    for (int i = 0; i < 2 * Steps; ++i) {
      const float low = values[2 * i], high = values[2 * i + 1];
      const unsigned pair = ptx::pair_from_floats<Half>(low, high);
      const float2 kept = __half22float2(*reinterpret_cast<const __half2*>(&pair));
      upper[i / 2][i % 2] = pair;
      rest[i / 2][i % 2] = ptx::pair_from_floats<Half>(low - kept.x, high - kept.y);
    }
  }
};

/// sums[column][tile] = two tiles of 16 rows of weights times columns; `fragments` as FragmentLayout has them.
template <bool Exact, int N, int Steps>
__device__ __forceinline__ void multiply_fragments(const std::byte* fragments, const Column<Steps> (&columns)[N],
                                                   float (&sums)[N][2][4]) {
#pragma unroll
  for (int i = 0; i < 8 * N; ++i) sums[i / 8][i / 4 % 2][i % 4] = 0;
  const auto* of_lane = reinterpret_cast<const uint4*>(fragments) + threadIdx.x % 32;
#pragma unroll
  for (int step = 0; step < Steps; ++step) {
    unsigned upper[2][4], rest[2][4];
#pragma unroll
    for (int tile = 0; tile < 2; ++tile) {
      const int at = (tile * Steps + step) * 2 * 32;
      const uint4 first = of_lane[at];
      upper[tile][0] = first.x, upper[tile][1] = first.y, upper[tile][2] = first.z, upper[tile][3] = first.w;
      if constexpr (Exact) {
        const uint4 second = of_lane[at + 32];
        rest[tile][0] = second.x, rest[tile][1] = second.y, rest[tile][2] = second.z, rest[tile][3] = second.w;
      }
    }
    // Products on the same sums stand apart: each waits for the one before it.
    const auto add = [&](const unsigned(&weights)[2][4], const auto& of_column) {
#pragma unroll
      for (int i = 0; i < 2 * N; ++i)
        ptx::mma_m16n8k16<__half>(sums[i / 2][i % 2], weights[i % 2], of_column(columns[i / 2]));
    };
    if constexpr (Exact) {
      add(
          rest, [&](const Column<Steps>& column) -> const auto& { return column.upper[step]; });
      add(
          upper, [&](const Column<Steps>& column) -> const auto& { return column.rest[step]; });
    }
    add(
        upper, [&](const Column<Steps>& column) -> const auto& { return column.upper[step]; });
  }
}

/// The weights in shared memory, which come in three parts.
struct FusedWeights {
  using Layout = FragmentLayout;
  std::byte* data;
  ptx::Mbarrier* arrivals;  // [3]: all before the basis, the basis, the decoder

  /// One thread calls.
  __device__ void start(const std::byte* from) const {
    constexpr int begin[]{0, Layout::basis, Layout::decoder, Layout::size};
    for (int part = 0; part < 3; ++part) ptx::mbarrier_init(arrivals[part], 1);
    ptx::fence_mbarrier_init();
    ptx::fence_proxy_async_shared();
    for (int part = 0; part < 3; ++part) {
      const int bytes = begin[part + 1] - begin[part];
      ptx::mbarrier_arrive_expect_tx(arrivals[part], bytes);
      ptx::bulk_load(data + begin[part], from + begin[part], bytes, arrivals[part]);
    }
  }
  __device__ void wait(int part) const { ptx::mbarrier_wait(arrivals[part], 0); }
  __device__ float number(int at, int i) const { return reinterpret_cast<const float*>(data + at)[i]; }
};

/// One warp of a group.
template <class Plan>
class FusedWarp {
  using Layout = FragmentLayout;
  using Sums = float[Plan::columns][2][4];

 public:
  __device__ FusedWarp(const FusedArgs& args, const FusedWeights& weights, typename Plan::Shared& shared, int warp)
      : args_(args), weights_(weights), shared_(shared), warp_(warp), lane_(static_cast<int>(threadIdx.x) % 32) {}

  /// From spectra to this warp's part of z. Those from `next` on will be wanted soon.
  __device__ void encode(std::int64_t first, std::int64_t next) const {
    float spectra[Plan::columns][16];
#pragma unroll
    for (int c = 0; c < Plan::columns; ++c) load(first + 8 * c, spectra[c]);
#pragma unroll
    for (int c = 0; c < Plan::columns; ++c) {  // this warp's half of what it and its neighbour will load
      if (next + 8 * c + g() < args_.batch) ptx::prefetch_l2(spectrum_at(next + 8 * c) + warp_ % 2 * 8);
    }
#pragma unroll
    for (int c = 0; c < Plan::columns; ++c) normalise(spectra[c]);
    weights_.wait(0);
    Sums sums;
    multiply(weights_.data + Layout::encoder + warp_ % 2 * Layout::encoder_part, spectra, sums);
    const float scale = weights_.number(Layout::scales, 0);
#pragma unroll
    for (int i = 0; i < 8 * Plan::columns; ++i) {
      float& sum = sums[i / 8][i / 4 % 2][i % 4];
      sum = gelu(sum * scale + weights_.number(Layout::encoder_bias, warp_ % 2 * 32 + row_of(i)));
    }
    float slices[Plan::columns][8];
    put(shared_.rows[warp_], sums);
    __syncwarp();  // all are there
#pragma unroll
    for (int c = 0; c < Plan::columns; ++c) take(shared_.rows[warp_], c, slices[c]);
    __syncwarp();  // all have read
    weights_.wait(1);
    multiply(weights_.data + Layout::basis + warp_ * Layout::latent_part, slices, sums);
    put(shared_.rows[warp_], sums);
  }

  /// The latent layer of 8 windows.
  __device__ void run_latent() const {
    if (warp_ >= Plan::columns) return;
    float z[1][8]{};
#pragma unroll 5
    for (int part = 0; part < Layout::n_warps; ++part) {
      float more[8];
      take(shared_.rows[part], warp_, more);
#pragma unroll
      for (int i = 0; i < 8; ++i) z[0][i] += more[i];
    }
    const float scale = weights_.number(Layout::scales, 1);
#pragma unroll
    for (int i = 0; i < 8; ++i) z[0][i] *= scale;
    normalise(z[0]);
    const Column<Layout::latent_steps> column[1]{Column<Layout::latent_steps>(z[0])};
    float sums[1][2][4];
    multiply_fragments<Plan::exact>(weights_.data + Layout::latent_weight, column, sums);
    const float latent_scale = weights_.number(Layout::scales, 2);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const float value = gelu(sums[0][i / 4][i % 4] * latent_scale + weights_.number(Layout::latent_bias, row_of(i)));
      shared_.latents[8 * warp_ + window_of(i)][row_of(i)] = value;
    }
  }

  /// This warp's outputs, to memory and to `errors`.
  __device__ void decode(std::int64_t first) const {
    float latents[Plan::columns][8];
#pragma unroll
    for (int c = 0; c < Plan::columns; ++c) take(shared_.latents, c, latents[c]);
    weights_.wait(2);
    Sums sums;
    multiply(weights_.data + Layout::decoder + warp_ * Layout::latent_part, latents, sums);
    const float scale = weights_.number(Layout::scales, 3);
    float errors[Plan::columns][2]{};
#pragma unroll
    for (int i = 0; i < 8 * Plan::columns; ++i) {
      const std::int64_t window = first + 8 * (i / 8) + window_of(i);
      if (window >= args_.batch) continue;
      const int output = warp_ * 32 + row_of(i);
      const float value = sums[i / 8][i / 4 % 2][i % 4] * scale + weights_.number(Layout::decoder_bias, output);
      const std::int64_t at = window * Plan::window + output;
      if (args_.y != nullptr) args_.y[at] = value;
      if (args_.scores != nullptr) {
        const float error = value - __ldg(args_.x + at);
        errors[i / 8][i % 2] += error * error;
      }
    }
    if (args_.scores == nullptr) return;
#pragma unroll
    for (int i = 0; i < 2 * Plan::columns; ++i) {
      const float sum = sum_of_lanes<4>(errors[i / 2][i % 2]);
      if (g() == 0) shared_.errors[warp_][8 * (i / 2) + window_of(i)] = sum;
    }
  }

  /// One lane a window, once all errors are there.
  __device__ void put_scores(std::int64_t first) const {
    if (warp_ != 0 || lane_ >= Plan::windows || first + lane_ >= args_.batch) return;
    float sum = 0;
    for (const auto& of_warp : shared_.errors) sum += of_warp[lane_];
    args_.scores[first + lane_] = sum * (1.F / Plan::window);
  }

 private:
  __device__ int g() const { return lane_ / 4; }
  __device__ int t() const { return lane_ % 4; }
  /// Of this lane's eight sums of two tiles: the row among 32, the window among 8.
  __device__ int row_of(int i) const { return i / 2 % 4 * 8 + g(); }
  __device__ int window_of(int i) const { return 2 * t() + i % 2; }

  /// Frame f of window `first` + g, from mel 16 t on.
  __device__ const float* spectrum_at(std::int64_t first) const {
    return args_.x + (first + g()) * Plan::window + warp_ / 2 * Layout::mels + t() * 16;
  }

  /// The 16 numbers there: zeros past the last window.
  __device__ __forceinline__ void load(std::int64_t first, float (&spectrum)[16]) const {
    const bool is_there = first + g() < args_.batch;
    const float* from = spectrum_at(first);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float4 four{};
      if (is_there && args_.is_aligned) four = __ldg(reinterpret_cast<const float4*>(from) + i);
      if (is_there && !args_.is_aligned) four = {from[4 * i], from[4 * i + 1], from[4 * i + 2], from[4 * i + 3]};
      spectrum[4 * i] = four.x;
      spectrum[4 * i + 1] = four.y;
      spectrum[4 * i + 2] = four.z;
      spectrum[4 * i + 3] = four.w;
    }
  }

  /// LayerNorm, without scale and shift, of the numbers that the four lanes of a column hold.
  template <int N>
  __device__ __forceinline__ static void normalise(float (&values)[N]) {
    const auto mean_of = [](float value) { return sum_of_lanes<1, 4>(value) * (1.F / (4 * N)); };
    float sum = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) sum += values[i];
    const float mean = mean_of(sum);
    float squares = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      values[i] -= mean;
      squares += values[i] * values[i];
    }
    const float scale = rsqrtf(mean_of(squares) + norm_epsilon);
#pragma unroll
    for (int i = 0; i < N; ++i) values[i] *= scale;
  }

  template <int N>
  __device__ void multiply(const std::byte* fragments, const float (&values)[Plan::columns][N], Sums& sums) const {
    if constexpr (Plan::columns == 1) {
      const Column<N / 4> columns[1]{Column<N / 4>(values[0])};
      multiply_fragments<Plan::exact>(fragments, columns, sums);
    } else {
      const Column<N / 4> columns[2]{Column<N / 4>(values[0]), Column<N / 4>(values[1])};
      multiply_fragments<Plan::exact>(fragments, columns, sums);
    }
  }

  /// Sums as rows of windows.
  __device__ __forceinline__ void put(float (&to)[Plan::windows][Plan::row], const Sums& sums) const {
#pragma unroll
    for (int i = 0; i < 8 * Plan::columns; ++i)
      to[8 * (i / 8) + window_of(i)][row_of(i)] = sums[i / 8][i / 4 % 2][i % 4];
  }

  /// What this lane holds of window g of a column: 8 of 32 numbers in a row.
  __device__ __forceinline__ void take(const float (&from)[Plan::windows][Plan::row], int column,
                                       float (&values)[8]) const {
    const auto* row = reinterpret_cast<const float4*>(from[8 * column + g()] + t() * 8);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const float4 four = row[i];
      values[4 * i] = four.x;
      values[4 * i + 1] = four.y;
      values[4 * i + 2] = four.z;
      values[4 * i + 3] = four.w;
    }
  }

  const FusedArgs& args_;
  const FusedWeights& weights_;
  typename Plan::Shared& shared_;
  int warp_;
  int lane_;
};

/// Blocks stay; each of their groups has every so-manieth set of windows.
template <class Plan>
__global__ void __launch_bounds__(Plan::threads, 1) run_fused(const __grid_constant__ FusedArgs args) {
  __shared__ ptx::Mbarrier arrivals[3];
  auto* memory = core::dynamic_shared<std::byte>();
  const FusedWeights weights{memory, arrivals};
  const int warp = static_cast<int>(threadIdx.x) / 32, group = warp / FragmentLayout::n_warps;
  auto* shared = reinterpret_cast<typename Plan::Shared*>(memory + FragmentLayout::size) + group;
  const FusedWarp<Plan> of_group(args, weights, *shared, warp % FragmentLayout::n_warps);
  if (threadIdx.x == 0) weights.start(args.weights);
  __syncthreads();  // the mbarriers are there

  const auto wait_for_group = [&] { ptx::barrier_sync(1 + group, Plan::group_threads); };
  const std::int64_t step = std::int64_t{gridDim.x} * Plan::groups * Plan::windows;
  for (std::int64_t first = (std::int64_t{blockIdx.x} * Plan::groups + group) * Plan::windows; first < args.batch;
       first += step) {
    of_group.encode(first, first + step);
    wait_for_group();  // all parts of z are there
    of_group.run_latent();
    wait_for_group();  // all latents are there
    of_group.decode(first);
    if (args.scores == nullptr) continue;
    wait_for_group();  // all errors are there
    of_group.put_scores(first);
  }
}

/// Enqueues it: blocks of as many windows as leave every multiprocessor some.
template <bool Exact>
void launch_fused_as(const Stream& stream, const FusedArgs& args) {
  const auto launch = [&]<class Plan>(Plan) {
    constexpr std::int64_t of_block = Plan::groups * Plan::windows;
    const auto kernel = run_fused<Plan>;
    core::allow_shared(kernel, Plan::shared_bytes);
    const std::int64_t resident = core::resident_blocks(kernel, Plan::threads, Plan::shared_bytes);
    core::launch(kernel, std::min(ceil_div(args.batch, of_block), resident), Plan::threads, Plan::shared_bytes, stream,
                 args);
  };
  const auto fills = [&](std::int64_t windows) { return args.batch > windows * stream.n_multiprocessors(); };
  if (fills(16)) return launch(FusedPlan<2, 2, Exact>{});
  if (fills(8)) return launch(FusedPlan<2, 1, Exact>{});
  launch(FusedPlan<1, 1, Exact>{});
}

inline void launch_fused(const Stream& stream, const SpectralArgs& args) {
  const FusedArgs fused{args.x, args.model->packed(), args.batch,
                        args.y, args.scores,          reinterpret_cast<std::uintptr_t>(args.x) % 16 == 0};
  if (args.model->precision() == SpectralPrecision::fp32) return launch_fused_as<true>(stream, fused);
  launch_fused_as<false>(stream, fused);
}

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND
