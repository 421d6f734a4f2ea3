// The original configuration (5 frames of 64 mels, slice 64, latent 32) in one kernel. All weights are in shared
// memory, and activations leave registers only where another lane needs them.
//
// A group is ten warps. It processes 8 or 16 windows at a time: they are the columns of mma.m16n8k16, and the weights
// are the rows. Warp w = 2 f + h of a group computes, for all of the group's windows:
//
//   step    result of warp w                                  from                               to
//   ------  ------------------------------------------------  ---------------------------------  ------------------
//   slices  slices 32 h to 32 h + 31 of frame f               LayerNorm of spectrum f            rows[w]
//   z       its contribution to all 32 latents                its 32 slices, read from rows[w]   rows[w]
//   latent  warps 0 and 1: all 32 latents of 8 windows each   LayerNorm of the sum of rows[]     latents
//   y       outputs 32 w to 32 w + 31                         latents                            y, squared errors
//
// A group has two barriers per set of windows, and a third if scores are computed. Why shared memory does not race:
//  - rows[w] belongs to warp w until the first barrier; __syncwarp() separates its writes and reads. After the barrier
//    other warps only read it, and warp w overwrites it after the second barrier.
//  - latents is written between the two barriers and read after the second; the next write follows the next set's first
//    barrier.
//  - errors is written after the second barrier and read after the third; the next write follows two more barriers.
// Two groups of a block share the weights; one computes while the other waits. Groups do not wait for each other.
//
// In float32 a product is three products of float16: each factor is the sum of its upper 11 bits and a rest, and rest
// times rest is omitted (2^-22 of a product). The inputs of a product may be in any order if the weights have the same
// order: each of the four lanes of a column holds a consecutive quarter of its inputs, as loaded from memory
// (FragmentLayout).
//
// Bound by launch and latency for few windows; for many by instruction issue, shared memory and mma together
// (NOTES.md).
#pragma once

#include "library/core/cuda/dynamic_shared.cuh"
#include "library/ptx/cache_hints.cuh"
#include "library/ptx/convert.cuh"
#include "library/ptx/fragment.cuh"
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
  float* y;         // [batch][frames][mels], or null
  float* scores;    // [batch], or null
  bool is_aligned;  // whether x is aligned to 16 bytes
};

/// The launch shape: groups of ten warps per block, and columns of 8 windows per group.
template <int Groups, int Columns, bool Exact>
struct FusedPlan {
  using Layout = FragmentLayout;
  static constexpr int groups = Groups;
  static constexpr int columns = Columns;
  static constexpr bool exact = Exact;
  static constexpr int windows = 8 * Columns;  // per group
  static constexpr int group_threads = 32 * Layout::n_warps;
  static constexpr int threads = Groups * group_threads;
  static constexpr int window = Layout::frames * Layout::mels;
  static constexpr int row = 32 + 4;  // floats; the four rows that a request reads are in different banks

  /// The shared memory of a group.
  struct Shared {
    float rows[Layout::n_warps][windows][row];
    float latents[windows][row];
    float errors[Layout::n_warps][windows];
  };
  static constexpr int shared_bytes = Layout::size + Groups * static_cast<int>(sizeof(Shared));
};

/// A lane's inputs of a column as mma takes them: its four of each 16, split into upper bits and rest.
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

/// The accumulators of N columns of 8 windows and two tiles of 16 rows of weights.
template <int N>
using FusedSums = float[N][2][ptx::Accumulator16x8::elements];

/// Computes sums[column][tile] = two tiles of 16 rows of weights times the columns; `fragments` has FragmentLayout.
/// Collective: all lanes of a warp.
template <bool Exact, int N, int Steps>
__device__ __forceinline__ void multiply_fragments(const std::byte* fragments, const Column<Steps> (&columns)[N],
                                                   int lane, FusedSums<N>& sums) {
#pragma unroll
  for (int c = 0; c < N; ++c) {
#pragma unroll
    for (int tile = 0; tile < 2; ++tile) {
#pragma unroll
      for (float& sum : sums[c][tile]) sum = 0;
    }
  }
  const auto* of_lane = reinterpret_cast<const uint4*>(fragments) + lane;
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
    // Products that accumulate into the same sums are spread out: each waits for the previous one.
    const auto add = [&](const unsigned(&weights)[2][4], const auto& of_column) {
#pragma unroll
      for (int c = 0; c < N; ++c) {
#pragma unroll
        for (int tile = 0; tile < 2; ++tile)
          ptx::mma_m16n8k16<__half>(sums[c][tile], weights[tile], of_column(columns[c]));
      }
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

/// The weights in shared memory, which are copied in three parts.
struct FusedWeights {
  using Layout = FragmentLayout;
  std::byte* data;
  ptx::Mbarrier* arrivals;  // [3]: all before the basis, the basis, the decoder

  /// Issues the copies. Called by one thread.
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

/// One warp of a group. All member functions are collective: all lanes of the warp.
template <class Plan>
class FusedWarp {
  using Layout = FragmentLayout;
  using Sums = FusedSums<Plan::columns>;

 public:
  __device__ FusedWarp(const FusedArgs& args, const FusedWeights& weights, typename Plan::Shared& shared, int warp,
                       int lane)
      : args_(args), weights_(weights), shared_(shared), warp_(warp), lane_(lane) {}

  /// Computes this warp's part of z from the spectra, and prefetches those of the windows from `next` on.
  __device__ void encode(std::int64_t first, std::int64_t next) const {
    float spectra[Plan::columns][16];
#pragma unroll
    for (int c = 0; c < Plan::columns; ++c) load(first + 8 * c, spectra[c]);
#pragma unroll
    for (int c = 0; c < Plan::columns; ++c) {  // this warp's half of what it and the other warp of its frame will load
      if (next + 8 * c + quad() < args_.batch) ptx::prefetch_l2(spectrum_at(next + 8 * c) + warp_ % 2 * 8);
    }
#pragma unroll
    for (int c = 0; c < Plan::columns; ++c) normalise(spectra[c]);
    weights_.wait(0);
    Sums sums;
    multiply(weights_.data + Layout::encoder + warp_ % 2 * Layout::encoder_part, spectra, sums);
    const float scale = weights_.number(Layout::scales, 0);
    for_each_sum(sums, [&](float& sum, const SumPlace& at) {
      sum = gelu(sum * scale + weights_.number(Layout::encoder_bias, warp_ % 2 * 32 + at.row));
    });
    float slices[Plan::columns][8];
    put(shared_.rows[warp_], sums);
    __syncwarp();  // the warp's rows are complete
#pragma unroll
    for (int c = 0; c < Plan::columns; ++c) take(shared_.rows[warp_], c, slices[c]);
    __syncwarp();  // the warp's rows have been read and may be overwritten
    weights_.wait(1);
    multiply(weights_.data + Layout::basis + warp_ * Layout::latent_part, slices, sums);
    put(shared_.rows[warp_], sums);
  }

  /// Computes the latent layer of 8 windows.
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
    FusedSums<1> sums;
    multiply_fragments<Plan::exact>(weights_.data + Layout::latent_weight, column, lane_, sums);
    const float latent_scale = weights_.number(Layout::scales, 2);
    for_each_sum(sums, [&](float& sum, const SumPlace& at) {
      const float value = gelu(sum * latent_scale + weights_.number(Layout::latent_bias, at.row));
      shared_.latents[8 * warp_ + at.window][at.row] = value;
    });
  }

  /// Computes this warp's outputs, and their squared errors to `errors`.
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
    for (int c = 0; c < Plan::columns; ++c) {
#pragma unroll
      for (int tile = 0; tile < 2; ++tile) {
#pragma unroll
        for (int i = 0; i < Accumulator::elements; ++i) {
          const std::int64_t window = first + 8 * c + Accumulator::column(lane_, i);
          if (window >= args_.batch) continue;
          const int output = warp_ * 32 + tile * Accumulator::rows + Accumulator::row(lane_, i);
          const float value = sums[c][tile][i] * scale + weights_.number(Layout::decoder_bias, output);
          const std::int64_t at = window * Plan::window + output;
          if (args_.y != nullptr) args_.y[at] = value;
          if (args_.scores != nullptr) {
            const float error = value - __ldg(args_.x + at);
            errors[c][Accumulator::column_offset(i)] += error * error;
          }
        }
      }
    }
    if (args_.scores == nullptr) return;
#pragma unroll
    for (int c = 0; c < Plan::columns; ++c) {
#pragma unroll
      for (int offset = 0; offset < 2; ++offset) {
        const float sum = sum_of_lanes<4>(errors[c][offset]);
        if (quad() == 0) shared_.errors[warp_][8 * c + Accumulator::column(lane_, offset)] = sum;
      }
    }
  }

  /// Writes the scores, one lane per window; all errors are complete.
  __device__ void put_scores(std::int64_t first) const {
    if (warp_ != 0 || lane_ >= Plan::windows || first + lane_ >= args_.batch) return;
    float sum = 0;
    for (const auto& of_warp : shared_.errors) sum += of_warp[lane_];
    args_.scores[first + lane_] = sum * (1.F / Plan::window);
  }

 private:
  using Accumulator = ptx::Accumulator16x8;
  /// The place of a sum: its row among the 32 of two tiles, and its window among the group's.
  struct SumPlace {
    int row, window;
  };

  __device__ int quad() const { return ptx::quad_of(lane_); }
  __device__ int in_quad() const { return ptx::quad_lane(lane_); }

  /// Calls visit(sum, place) for this lane's sums of all columns.
  template <int N, class Visit>
  __device__ __forceinline__ void for_each_sum(FusedSums<N>& sums, const Visit& visit) const {
#pragma unroll
    for (int c = 0; c < N; ++c) {
#pragma unroll
      for (int tile = 0; tile < 2; ++tile) {
#pragma unroll
        for (int i = 0; i < Accumulator::elements; ++i) {
          visit(sums[c][tile][i],
                SumPlace{tile * Accumulator::rows + Accumulator::row(lane_, i), 8 * c + Accumulator::column(lane_, i)});
        }
      }
    }
  }

  /// Returns the address of frame f of window `first` + quad, at mel 16 * (lane % 4).
  __device__ const float* spectrum_at(std::int64_t first) const {
    return args_.x + (first + quad()) * Plan::window + warp_ / 2 * Layout::mels + in_quad() * 16;
  }

  /// Loads those 16 numbers; zeros past the last window.
  __device__ __forceinline__ void load(std::int64_t first, float (&spectrum)[16]) const {
    const bool is_there = first + quad() < args_.batch;
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

  /// Applies LayerNorm, without scale and shift, to the inputs of a column, which four lanes hold.
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
      multiply_fragments<Plan::exact>(fragments, columns, lane_, sums);
    } else {
      const Column<N / 4> columns[2]{Column<N / 4>(values[0]), Column<N / 4>(values[1])};
      multiply_fragments<Plan::exact>(fragments, columns, lane_, sums);
    }
  }

  /// Stores sums as rows of windows.
  __device__ __forceinline__ void put(float (&to)[Plan::windows][Plan::row], Sums& sums) const {
    for_each_sum(sums, [&](float& sum, const SumPlace& at) { to[at.window][at.row] = sum; });
  }

  /// Loads this lane's inputs of a window of a column: 8 consecutive ones of 32.
  __device__ __forceinline__ void take(const float (&from)[Plan::windows][Plan::row], int column,
                                       float (&values)[8]) const {
    const auto* row = reinterpret_cast<const float4*>(from[8 * column + quad()] + in_quad() * 8);
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

/// Blocks are persistent; group g of all groups processes the sets of windows g, g + n_groups, g + 2 * n_groups, ...
template <class Plan>
__global__ void __launch_bounds__(Plan::threads, 1) run_fused(const __grid_constant__ FusedArgs args) {
  __shared__ ptx::Mbarrier arrivals[3];
  auto* memory = core::dynamic_shared<std::byte>();
  const FusedWeights weights{memory, arrivals};
  const int warp = static_cast<int>(threadIdx.x) / 32, group = warp / FragmentLayout::n_warps;
  auto* shared = reinterpret_cast<typename Plan::Shared*>(memory + FragmentLayout::size) + group;
  const FusedWarp<Plan> of_group(args, weights, *shared, warp % FragmentLayout::n_warps,
                                 static_cast<int>(threadIdx.x) % 32);
  if (threadIdx.x == 0) weights.start(args.weights);
  __syncthreads();  // the mbarriers are initialised

  const auto wait_for_group = [&] { ptx::barrier_sync(1 + group, Plan::group_threads); };
  const std::int64_t step = std::int64_t{gridDim.x} * Plan::groups * Plan::windows;
  for (std::int64_t first = (std::int64_t{blockIdx.x} * Plan::groups + group) * Plan::windows; first < args.batch;
       first += step) {
    of_group.encode(first, first + step);
    wait_for_group();  // all parts of z are complete
    of_group.run_latent();
    wait_for_group();  // all latents are complete
    of_group.decode(first);
    if (args.scores == nullptr) continue;
    wait_for_group();  // all errors are complete
    of_group.put_scores(first);
  }
}

/// Launches the kernel with the most windows per block that still gives every multiprocessor a block.
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
