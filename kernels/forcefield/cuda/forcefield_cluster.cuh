// Products of a cluster: each block has a part of the channels, the same in every field, so messages between atoms stay
// within a block. A product needs the rows of all channels and computes the block's columns:
//
//   fill     a block computes its columns of the rows and stores them to all blocks (distributed shared memory)
//   run      cluster barrier; the block's columns of the matrix are in shared memory, copied asynchronously before
//
// Races: rows alternate between two buffers. A block fills a buffer after the cluster barrier of the previous product,
// which every block reaches only after its reads of that buffer; so one barrier per product is enough. The readout's
// hidden layers, which every block needs in full, are computed by every block in its own buffer.
#pragma once

#include "forcefield/cuda/forcefield_dense.cuh"
#include "library/ptx/async_copy.cuh"
#include "library/ptx/cluster.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

/// A tile with the interface of BlockTile, for a block of a cluster, which has a segment of the channels. Collective:
/// all threads of the block, and of all blocks of the cluster, call the same functions.
class ClusterTile {
 public:
  static constexpr int features = 128;  // only models with this number of features use clusters
  static constexpr int n_ranks = features / segment_channels;
  static constexpr bool fits(const ModelView& model) { return model.features == features; }

  __host__ __device__ static constexpr std::int64_t floats(const ModelView& model) {
    return 2 * row_floats + 2 * weight_floats + local_floats(model) + sum_floats(model) +
           tile_rows * BlockTile::readout_width(model);
  }
  /// Uses `memory`, which has floats() floats.
  __device__ ClusterTile(float* memory, const ModelView& model)
      : buffers_(memory),
        weights_(buffers_ + 2 * row_floats),
        local_(weights_ + 2 * weight_floats),
        sums_(local_ + local_floats(model)),
        readout_(sums_ + sum_floats(model)),
        rank_(static_cast<int>(ptx::cluster_rank())) {}

  __device__ int rank() const { return rank_; }
  __device__ ChannelRange channel_range() const { return {rank_ * segment_channels, segment_channels}; }
  __device__ Columns channels(const ModelView&, int n_parts) const {
    return {n_parts, features, rank_ * segment_channels, segment_channels, n_ranges(n_parts * features)};
  }
  __device__ float* readout() const { return readout_; }
  __device__ const float* row(int row, int n_columns) const { return rows_ + row * row_pitch(n_columns); }

  template <class F>
  __device__ void fill(int n_rows, const Columns& columns, const F& make) {
    if (columns.are_all()) {
      rows_ = local_;
      for_each_pair(tile_rows, columns, [&](int row, int part, int c) {
        store2(local_ + row * row_pitch(columns.all()) + columns.place(part, c),
               row < n_rows ? make(row, part, c) : float2{});
      });
      return;
    }
    turn_ = 1 - turn_;
    rows_ = buffers_ + turn_ * row_floats;
    for_each_pair(tile_rows, columns, [&](int row, int part, int c) {
      const float2 value = row < n_rows ? make(row, part, c) : float2{};
      auto* to = reinterpret_cast<float2*>(rows_ + row * row_pitch(columns.all()) + columns.place(part, c));
#pragma unroll
      for (unsigned rank = 0; rank < n_ranks; ++rank) ptx::RemoteShared(to, rank).store(value);
    });
  }

  /// Starts to copy the block's columns of a matrix, unless they are in shared memory, which holds two.
  __device__ void fetch(const float* matrix, int n_in, const Columns& columns) {
    if (newer_ == matrix || older_ == matrix) return;
    if (n_under_way_ == 2) wait_for_copies();  // an earlier copy must not complete after this one starts in its buffer
    ++n_under_way_;
    float* to = weights_ + (1 - newer_place_) * weight_floats;
    older_ = newer_;
    newer_ = matrix;
    newer_place_ = 1 - newer_place_;
    const int quads = columns.own() / 4;
    for (int i = static_cast<int>(threadIdx.x); i < n_in * quads; i += n_threads()) {
      const int k = i / quads, column = i % quads * 4, part = column / columns.n;
      ptx::copy_async<16>(to + k * columns.own() + column,
                          matrix + k * columns.all() + columns.place(part, column - part * columns.n));
    }
    ptx::copy_async_commit();
  }

  __device__ void run(int n_rows, const float* matrix, int n_in, const Columns& columns) {
    fetch(matrix, n_in, columns);
    const float* weights = weights_ + (newer_ == matrix ? newer_place_ : 1 - newer_place_) * weight_floats;
    ptx::copy_async_wait<0>();
    n_under_way_ = 0;
    ptx::cluster_sync();  // rows and weights are written
    multiply<4, 2, true>({rows_, n_rows, weights, columns.own(), n_in, columns.own(), columns.ranges, sums_});
    __syncthreads();  // the sums are written
  }
  /// Computes a product with a matrix of one part that is read from global memory.
  __device__ void run_once(int n_rows, const float* matrix, int n_in, const Columns& columns) const {
    if (rows_ == local_) {
      __syncthreads();  // the rows are written
    } else {
      ptx::cluster_sync();  // the rows of all blocks are written
    }
    multiply<4, 4>({rows_, n_rows, matrix + columns.first, columns.all(), n_in, columns.own(), columns.ranges, sums_});
    __syncthreads();  // the sums are written
  }

  __device__ float2 sum2(int row, int part, int c, const Columns& columns, const float* bias) const {
    const float2 first =
        bias == nullptr ? float2{} : __ldg(reinterpret_cast<const float2*>(bias + columns.place(part, c)));
    return sum_ranges(sums_, row, part * columns.n + c, columns, first);
  }

 private:
  static constexpr int row_floats = tile_rows * row_pitch(3 * features);
  static constexpr int weight_floats = 3 * features * segment_channels;
  __host__ __device__ static constexpr std::int64_t local_floats(const ModelView& model) {
    std::int64_t widest = 0;
    for (std::int64_t i = 0; i + 1 < model.n_readouts; ++i)
      widest = model.readout[i] > widest ? model.readout[i] : widest;
    return tile_rows * row_pitch(static_cast<int>(widest));
  }
  __host__ __device__ static constexpr std::int64_t sum_floats(const ModelView& model) {
    int widest = 0;
    for (int n_parts = 1; n_parts <= 3; ++n_parts) {
      const int width = n_ranges(n_parts * features) * n_parts * segment_channels;
      widest = width > widest ? width : widest;
    }
    for (std::int64_t i = 0; i + 1 < model.n_readouts; ++i) {
      const int n = static_cast<int>(model.readout[i]), width = n_ranges(n) * n;
      widest = width > widest ? width : widest;
    }
    return std::int64_t{tile_rows} * widest;
  }
  __device__ void wait_for_copies() {
    ptx::copy_async_wait<0>();
    n_under_way_ = 0;
    __syncthreads();
  }

  float* buffers_;  // [2]
  float* weights_;  // [2]: columns of matrices
  float* local_;    // rows that every block computes for itself
  float* sums_;
  float* readout_;
  int rank_;

  float* rows_ = nullptr;                            // of the last fill
  int turn_ = 0;                                     // the buffer of the last fill
  const float *newer_ = nullptr, *older_ = nullptr;  // the matrices whose columns are in shared memory
  int newer_place_ = 0;
  int n_under_way_ = 0;
};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
