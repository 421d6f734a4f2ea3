// Both fully connected layers and softmax: results[i] = softmax(fc2 relu(fc1 features[i] + bias) + bias), float32.
//
// A block processes a tile of images. Each of its nine warps has a slice of the features, (images, 144), and of the
// weights, (32, 144), which pass through the warp's part of shared memory in chunks of 16; a lane has images / 8 x 8 of
// the sums. The warps' sums are added in a fixed order, so the result of an image does not depend on the tile. The 32
// hidden values per image that remain are too little work for another launch. Bound by the multiply-add units and
// nearly as much by DRAM: 5.2 KB and 41472 products per image.
//
// Races: a warp's rows are its own, and __syncwarp orders copies and reads of a chunk. `sums` shares memory with
// `rows`; the first __syncthreads orders all reads of rows before the first write of sums.
#pragma once

#include "apps/classify/lenet/lenet_layers.hpp"
#include "library/core/cuda/dynamic_shared.cuh"
#include "library/core/cuda/launch.cuh"
#include "library/ptx/async_copy.cuh"

namespace rafter::classify::lenet::RAFTER_BACKEND {

constexpr int result_words = sizeof(LenetResult) / 4;
static_assert(result_words == 1 + n_classes);

template <int Images>
struct ClassifierTile {
  static constexpr int images = Images;
  static constexpr int n_warps = 9;
  static constexpr int threads = n_warps * 32;
  static constexpr int slice = n_features / n_warps;  // 144: a warp's features
  static constexpr int chunk = 16;                    // features in shared memory at a time
  static constexpr int pitch = chunk + 4;             // eight rows of 16 bytes fall into different banks
  static constexpr int stages =
      Images == 32 ? 1 : 2;  // with 1, three blocks of 32 images fit on an H200 multiprocessor
  static constexpr int rows = Images + n_hidden;
  static constexpr int lane_images = Images / 8;
  static constexpr int lane_hidden = n_hidden / 4;
  static_assert(slice % chunk == 0 && n_features % n_warps == 0);

  struct Sums {
    float partial[n_warps][Images][n_hidden + 4];  // a warp's stores fall into different banks
    float hidden[Images][n_hidden + 1];
    float logits[Images][n_classes + 1];
    float results[Images][result_words];  // LenetResult
  };
  union Storage {
    float rows[n_warps][stages][ClassifierTile::rows][pitch];  // images, then weights
    Sums sums;
  };
};

struct Classifier {
  const float* features;  // [n][n_features]
  const float* fc1;       // [n_hidden][n_features]
  const float* fc1_bias;
  const float* fc2;  // [n_classes][n_hidden]
  const float* fc2_bias;
  std::int64_t n;
  LenetResult* results;
};

/// Starts the lane's part of copying a chunk: rows of 64 bytes, four lanes each. Images past the last are zeros.
template <class Tile>
__device__ void copy_chunk(const Classifier& args, std::int64_t first_image, int from, float (*to)[Tile::pitch],
                           int lane) {
  const auto n_images = static_cast<int>(min(args.n - first_image, static_cast<std::int64_t>(Tile::images)));
  const int row = lane / 4, column = lane % 4 * 4;
  const float* images = args.features + (first_image + row) * n_features + from + column;
#pragma unroll
  for (int i = 0; i < Tile::images; i += 8)
    ptx::copy_async_zero_fill<16>(&to[row + i][column], images + i * n_features, row + i < n_images ? 16 : 0);
  const float* weights = args.fc1 + row * n_features + from + column;
#pragma unroll
  for (int i = 0; i < n_hidden; i += 8)
    ptx::copy_async<16>(&to[Tile::images + row + i][column], weights + i * n_features);
  ptx::copy_async_commit();
}

/// Adds a chunk's products of images lane / 4 + 8 i with hidden values lane % 4 + 4 j to sums[i][j].
template <class Tile>
__device__ void add_chunk(const float (*rows)[Tile::pitch], int lane,
                          float (&sums)[Tile::lane_images][Tile::lane_hidden]) {
#pragma unroll
  for (int k = 0; k < Tile::chunk; k += 4) {
    float4 features[Tile::lane_images];
#pragma unroll
    for (int i = 0; i < Tile::lane_images; ++i)
      features[i] = *reinterpret_cast<const float4*>(&rows[lane / 4 + 8 * i][k]);
#pragma unroll
    for (int j = 0; j < Tile::lane_hidden; ++j) {
      const float4 weights = *reinterpret_cast<const float4*>(&rows[Tile::images + lane % 4 + 4 * j][k]);
#pragma unroll
      for (int i = 0; i < Tile::lane_images; ++i) {
        float sum = fmaf(features[i].x, weights.x, sums[i][j]);
        sum = fmaf(features[i].y, weights.y, sum);
        sum = fmaf(features[i].z, weights.z, sum);
        sums[i][j] = fmaf(features[i].w, weights.w, sum);
      }
    }
  }
}

/// Adds the products of a warp's slice. Collective: all lanes of the warp.
template <class Tile>
__device__ void add_slice(const Classifier& args, std::int64_t first_image, int first_feature,
                          float (*rows)[Tile::rows][Tile::pitch], int lane,
                          float (&sums)[Tile::lane_images][Tile::lane_hidden]) {
  constexpr int n_chunks = Tile::slice / Tile::chunk;
  constexpr int ahead = Tile::stages - 1;
  const auto copy = [&](int chunk) {
    copy_chunk<Tile>(args, first_image, first_feature + chunk * Tile::chunk, rows[chunk % Tile::stages], lane);
  };
#pragma unroll
  for (int chunk = 0; chunk < ahead; ++chunk) copy(chunk);
#pragma unroll 1
  for (int chunk = 0; chunk < n_chunks; ++chunk) {
    chunk + ahead < n_chunks ? copy(chunk + ahead) : ptx::copy_async_commit();
    ptx::copy_async_wait<ahead>();
    __syncwarp();  // all lanes' copies of this chunk have landed
    add_chunk<Tile>(rows[chunk % Tile::stages], lane, sums);
    __syncwarp();  // all lanes have read it before the next copy overwrites it
  }
}

/// Computes the softmax of one image, as the words of a LenetResult.
__device__ inline void finish_image(const float* logits, float* result) {
  int label = 0;
  for (int c = 1; c < n_classes; ++c) label = logits[c] > logits[label] ? c : label;
  float* exponentials = result + 1;
  float sum = 0;
  for (int c = 0; c < n_classes; ++c) sum += exponentials[c] = expf(logits[c] - logits[label]);
  const bool is_nan = !(sum == sum);
  for (int c = 0; c < n_classes; ++c) exponentials[c] = is_nan ? sum : exponentials[c] / sum;
  result[0] = __int_as_float(is_nan ? -1 : label);
}

template <int Images>
__global__ void __launch_bounds__(ClassifierTile<Images>::threads, Images == 32 ? 3 : 2)
    classify_images(Classifier args) {
  using Tile = ClassifierTile<Images>;
  auto& storage = *core::dynamic_shared<typename Tile::Storage>();
  const auto thread = static_cast<int>(threadIdx.x);
  const int warp = thread / 32, lane = thread % 32;
  const std::int64_t first_image = std::int64_t{blockIdx.x} * Images;

  float sums[Tile::lane_images][Tile::lane_hidden] = {};
  add_slice<Tile>(args, first_image, warp * Tile::slice, storage.rows[warp], lane, sums);
  __syncthreads();  // all warps have read their rows before sums overwrite them
  auto& shared = storage.sums;
#pragma unroll
  for (int i = 0; i < Tile::lane_images; ++i) {
#pragma unroll
    for (int j = 0; j < Tile::lane_hidden; ++j) shared.partial[warp][lane / 4 + 8 * i][lane % 4 + 4 * j] = sums[i][j];
  }
  __syncthreads();  // the sums of all slices are written
  for (int i = thread; i < Images * n_hidden; i += Tile::threads) {
    float sum = args.fc1_bias[i % n_hidden];
    for (int slice = 0; slice < Tile::n_warps; ++slice) sum += shared.partial[slice][i / n_hidden][i % n_hidden];
    shared.hidden[i / n_hidden][i % n_hidden] = sum < 0 ? 0.f : sum;
  }
  __syncthreads();  // all hidden values are written
  for (int i = thread; i < Images * n_classes; i += Tile::threads) {
    const int image = i / n_classes, c = i % n_classes;
    float sum = args.fc2_bias[c];
    for (int h = 0; h < n_hidden; ++h) sum = fmaf(shared.hidden[image][h], args.fc2[c * n_hidden + h], sum);
    shared.logits[image][c] = sum;
  }
  __syncthreads();  // all logits are written
  if (thread < Images) finish_image(shared.logits[thread], shared.results[thread]);
  __syncthreads();  // all results are written; the copy below is coalesced
  const std::int64_t n_words = min(args.n - first_image, static_cast<std::int64_t>(Images)) * result_words;
  auto* to = reinterpret_cast<float*>(args.results + first_image);
  const float* from = &shared.results[0][0];
  for (int i = thread; i < n_words; i += Tile::threads) to[i] = from[i];
}

template <int Images>
void classify_tiles(const Stream& stream, const ClassifierArgs& args) {
  const LenetWeights& weights = *args.weights;  // device memory: only its addresses are used
  const Classifier classifier{args.features,      weights.fc1.data(),      weights.fc1_bias.data(),
                              weights.fc2.data(), weights.fc2_bias.data(), args.n,
                              args.results};
  using Tile = ClassifierTile<Images>;
  core::allow_shared(classify_images<Images>, sizeof(typename Tile::Storage));
  core::launch(classify_images<Images>, ceil_div(args.n, Images), Tile::threads, sizeof(typename Tile::Storage), stream,
               classifier);
}

}  // namespace rafter::classify::lenet::RAFTER_BACKEND
