// Transposes matrices with one short side of up to 512 bytes. A chunk of whole rows (tall matrices) or whole columns
// (wide ones) is one contiguous piece of memory on one side, and one long run per row of the short side on the other. A
// block copies a chunk of 16 KiB through shared memory, where it has the layout of its contiguous side. Shared memory
// is written once, before the kernel's only barrier, and read after it.
//
// Lanes that access a run are `n_runs` elements apart in shared memory. Where that would use few banks, every 128 bytes
// are followed by one unit of padding; bank conflicts are then at most fourfold.
//
// Bound by DRAM: every byte is read once and written once.
#pragma once

#include <algorithm>

#include "library/core/cuda/launch.cuh"
#include "transpose/cuda/transpose_pieces.cuh"

namespace rafter::transpose_ladder::RAFTER_BACKEND {

struct RunsPolicy {
  static constexpr int threads = 256;
  // 16-byte pieces per thread on the contiguous side. H200, (10^7, 10): 200 us; 218 with 2, 201 with 8.
  static constexpr int vectors = 4;
  static constexpr int load_bytes = 16;  // per lane along a run, at most
  static constexpr int store_bytes = 4;  // per lane along a run, at most, unless an element is larger
  static constexpr int in_flight = 8;    // loads along runs before the first is stored
};

inline constexpr int run_side_bytes = 512;  // chunks then have at least 32 elements of each run

/// The long side, cut into chunks. The runs are the rows of the short side.
struct Runs {
  std::int64_t length;
  std::int64_t stride;  // elements from run to run
  int n;
  int per_chunk;          // elements of each run per chunk
  Divisor steps_per_run;  // a step is one access of a warp
  int pad_bytes;          // after every 128 bytes
};

template <class Policy, int Bytes>
struct ChunkShape {
  static constexpr int bytes = Policy::threads * Policy::vectors * 16;
  // The storage with all padding, for a chunk that starts at any offset from a 16-byte boundary.
  static constexpr int storage_vectors = (bytes + 16 + (bytes + 16) / 128 * Units<Bytes>::bytes) / 16 + 1;
};

__device__ inline int padded(int at, int pad_bytes) { return at + at / 128 * pad_bytes; }

/// The split of a chunk's contiguous side: single elements, 16-byte pieces, single elements.
template <int Bytes>
struct ChunkSplit {
  int misaligned;  // bytes past a 16-byte boundary, in global and in shared memory
  int head;        // elements
  int body;        // pieces
  int tail;        // elements
  __device__ ChunkSplit(const char* at, int n) {
    misaligned = static_cast<int>(reinterpret_cast<std::uintptr_t>(at) % 16);
    head = min(n, (16 - misaligned) % 16 / Bytes);
    body = (n - head) / (16 / Bytes);
    tail = (n - head) % (16 / Bytes);
  }
};

/// Copies `n` contiguous elements to the chunk. Collective: all threads of the block.
template <class Policy, int Bytes>
__device__ void load_contiguous(const char* from, int n, int pad_bytes, char* chunk) {
  using Unit = Piece<Units<Bytes>::bytes>;
  const int t = static_cast<int>(threadIdx.x);
  const ChunkSplit<Bytes> split(from, n);
  const char* body = from + split.head * Bytes;
  const int body_at = split.misaligned + split.head * Bytes;
  Piece<16> v[Policy::vectors];
#pragma unroll
  for (int k = 0; k < Policy::vectors; ++k) {
    const int i = t + k * Policy::threads;
    if (i < split.body) v[k] = load_piece<16>(body + i * 16);
  }
  const auto copy_one = [&](int i) {
    store_piece(chunk + padded(split.misaligned + i * Bytes, pad_bytes), load_piece<Bytes>(from + i * Bytes));
  };
  if (t < split.head) copy_one(t);
  if (t < split.tail) copy_one(n - 1 - t);
#pragma unroll
  for (int k = 0; k < Policy::vectors; ++k) {
    const int i = t + k * Policy::threads;
    if (i >= split.body) break;
    char* to = chunk + padded(body_at + i * 16, pad_bytes);
#pragma unroll
    for (int u = 0; u < 16 / static_cast<int>(sizeof(Unit)); ++u) {
      Unit unit;
#pragma unroll
      for (int w = 0; w < Units<Bytes>::words; ++w) unit.word[w] = v[k].word[u * Units<Bytes>::words + w];
      store_piece(to + u * Units<Bytes>::bytes, unit);
    }
  }
}

/// Copies the chunk to `n` contiguous elements. Collective: all threads of the block.
template <class Policy, int Bytes>
__device__ void store_contiguous(const char* chunk, int n, int pad_bytes, char* to) {
  const int t = static_cast<int>(threadIdx.x);
  const ChunkSplit<Bytes> split(to, n);
  char* body = to + split.head * Bytes;
  const int body_at = split.misaligned + split.head * Bytes;
#pragma unroll
  for (int k = 0; k < Policy::vectors; ++k) {
    const int i = t + k * Policy::threads;
    if (i >= split.body) break;
    const char* from = chunk + padded(body_at + i * 16, pad_bytes);
    Piece<16> v;
#pragma unroll
    for (int u = 0; u < 4 / Units<Bytes>::words; ++u) {
      const auto unit = load_piece<Units<Bytes>::bytes>(from + u * Units<Bytes>::bytes);
#pragma unroll
      for (int w = 0; w < Units<Bytes>::words; ++w) v.word[u * Units<Bytes>::words + w] = unit.word[w];
    }
    store_piece(body + i * 16, v);
  }
  const auto copy_one = [&](int i) {
    store_piece(to + i * Bytes, load_piece<Bytes>(chunk + padded(split.misaligned + i * Bytes, pad_bytes)));
  };
  if (t < split.head) copy_one(t);
  if (t < split.tail) copy_one(n - 1 - t);
}

/// Returns element `i` of a piece.
template <int Bytes, int Width>
__device__ Piece<Bytes> element(const Piece<Width>& piece, int i) {
  Piece<Bytes> result;
  if constexpr (Bytes < 4) {
    result.word[0] = piece.word[i * Bytes / 4] >> (i * Bytes % 4 * 8);
  } else {
#pragma unroll
    for (int w = 0; w < Bytes / 4; ++w) result.word[w] = piece.word[i * (Bytes / 4) + w];
  }
  return result;
}

/// Sets element `i` of a piece, whose bits are zero before.
template <int Bytes, int Width>
__device__ void set_element(Piece<Width>& piece, int i, const Piece<Bytes>& value) {
  if constexpr (Bytes < 4) {
    piece.word[i * Bytes / 4] |= value.word[0] << (i * Bytes % 4 * 8);
  } else {
#pragma unroll
    for (int w = 0; w < Bytes / 4; ++w) piece.word[i * (Bytes / 4) + w] = value.word[w];
  }
}

/// A lane's access in one of a warp's steps along the runs: the run, and the index on it where the lane's piece starts.
struct RunStep {
  int run;
  int first;
  __device__ RunStep(int step, int lane, int per_piece, const Runs& runs) {
    run = runs.steps_per_run.quotient(step);
    first = ((step - run * runs.steps_per_run.value) * 32 + lane) * per_piece;
  }
};

/// Transposes a tall contiguous matrix; its rows of `runs.n` elements become `runs.n` runs of the output.
template <class Word, int Width, class Policy>
__global__ void __launch_bounds__(Policy::threads) transpose_tall(TransposeArgs<Word> args, Runs runs) {
  constexpr int bytes = static_cast<int>(sizeof(Word));
  constexpr int per_piece = Width / bytes;
  constexpr int n_warps = Policy::threads / 32;
  __shared__ uint4 storage[ChunkShape<Policy, bytes>::storage_vectors];
  auto* chunk = reinterpret_cast<char*>(storage);  // [n, runs.n] elements, at the input's misalignment
  const std::int64_t first_row = blockIdx.x * std::int64_t{runs.per_chunk};
  const int n = static_cast<int>(min(std::int64_t{runs.per_chunk}, runs.length - first_row));
  const auto* from = reinterpret_cast<const char*>(args.in.data + first_row * runs.n);
  const auto misaligned = static_cast<int>(reinterpret_cast<std::uintptr_t>(from) % 16);

  load_contiguous<Policy, bytes>(from, n * runs.n, runs.pad_bytes, chunk);
  __syncthreads();  // the whole chunk is in shared memory
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll 4
  for (int s = static_cast<int>(threadIdx.x) / 32; s < runs.n * runs.steps_per_run.value; s += n_warps) {
    const RunStep step(s, lane, per_piece, runs);
    if (step.first >= n) continue;
    Piece<Width> piece = {};
#pragma unroll
    for (int i = 0; i < per_piece; ++i) {
      const int at = misaligned + ((step.first + i) * runs.n + step.run) * bytes;
      set_element<bytes>(piece, i, load_piece<bytes>(chunk + padded(at, runs.pad_bytes)));
    }
    store_piece(args.out.data + step.run * runs.stride + first_row + step.first, piece);
  }
}

/// Transposes a wide matrix; its `runs.n` runs become contiguous rows of `runs.n` elements.
template <class Word, int Width, class Policy>
__global__ void __launch_bounds__(Policy::threads) transpose_wide(TransposeArgs<Word> args, Runs runs) {
  constexpr int bytes = static_cast<int>(sizeof(Word));
  constexpr int per_piece = Width / bytes;
  constexpr int n_warps = Policy::threads / 32;
  constexpr int batch = std::min(Policy::in_flight, 4 * Policy::vectors * 4 / Width);
  __shared__ uint4 storage[ChunkShape<Policy, bytes>::storage_vectors];
  auto* chunk = reinterpret_cast<char*>(storage);  // [n, runs.n] elements, at the output's misalignment
  const std::int64_t first_col = blockIdx.x * std::int64_t{runs.per_chunk};
  const int n = static_cast<int>(min(std::int64_t{runs.per_chunk}, runs.length - first_col));
  auto* to = reinterpret_cast<char*>(args.out.data + first_col * runs.n);
  const auto misaligned = static_cast<int>(reinterpret_cast<std::uintptr_t>(to) % 16);
  const int lane = static_cast<int>(threadIdx.x) % 32;

  for (int s = static_cast<int>(threadIdx.x) / 32; s < runs.n * runs.steps_per_run.value; s += batch * n_warps) {
    Piece<Width> piece[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const RunStep step(s + k * n_warps, lane, per_piece, runs);
      if (step.run < runs.n && step.first < n)
        piece[k] = load_piece<Width>(args.in.data + step.run * runs.stride + first_col + step.first);
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const RunStep step(s + k * n_warps, lane, per_piece, runs);
      if (step.run >= runs.n || step.first >= n) continue;
#pragma unroll
      for (int i = 0; i < per_piece; ++i) {
        const int at = misaligned + ((step.first + i) * runs.n + step.run) * bytes;
        store_piece(chunk + padded(at, runs.pad_bytes), element<bytes>(piece[k], i));
      }
    }
  }
  __syncthreads();  // the whole chunk is in shared memory
  store_contiguous<Policy, bytes>(chunk, n * runs.n, runs.pad_bytes, to);
}

/// Returns the runs of the wide matrix, which is the input or the output.
template <class Policy, class T>
Runs runs_of(const MatrixView<T>& matrix, int width) {
  constexpr int bytes = static_cast<int>(sizeof(T));
  const auto n = static_cast<int>(matrix.n_rows);
  const int step_elements = 32 * width / bytes;
  int per_chunk = ChunkShape<Policy, bytes>::bytes / (n * bytes);
  per_chunk -=
      per_chunk % (per_chunk >= step_elements ? step_elements : 32);  // chunks of an aligned matrix are aligned
  const int steps = static_cast<int>(ceil_div(per_chunk, step_elements));
  return {
      .length = matrix.n_cols,
      .stride = matrix.row_stride,
      .n = n,
      .per_chunk = per_chunk,
      .steps_per_run = Divisor(steps),
      .pad_bytes = n * width % 32 == 0 ? Units<bytes>::bytes : 0,
  };
}

template <class Word, int Width, class Policy>
void launch_tall(const Stream& stream, const TransposeArgs<Word>& args) {
  const Runs runs = runs_of<Policy>(args.out, Width);
  core::launch(transpose_tall<Word, Width, Policy>, ceil_div(runs.length, runs.per_chunk), Policy::threads, 0, stream,
               args, runs);
}

template <class Word, int Width, class Policy>
void launch_wide(const Stream& stream, const TransposeArgs<Word>& args) {
  const Runs runs = runs_of<Policy>(args.in, Width);
  core::launch(transpose_wide<Word, Width, Policy>, ceil_div(runs.length, runs.per_chunk), Policy::threads, 0, stream,
               args, runs);
}

/// Whether all rows start and end at multiples of `width` bytes.
template <class T>
bool runs_align(const MatrixView<T>& matrix, int width) {
  return alignment_bits(matrix) % static_cast<unsigned>(width) == 0;
}

template <class Word, class Policy = RunsPolicy>
void transpose_tall_matrix(const Stream& stream, const TransposeArgs<Word>& args) {
  constexpr int bytes = static_cast<int>(sizeof(Word));
  constexpr int width = std::max(Policy::store_bytes, bytes);
  const bool aligned = runs_align(args.out, width);
  aligned ? launch_tall<Word, width, Policy>(stream, args) : launch_tall<Word, bytes, Policy>(stream, args);
}

template <class Word, class Policy = RunsPolicy>
void transpose_wide_matrix(const Stream& stream, const TransposeArgs<Word>& args) {
  constexpr int bytes = static_cast<int>(sizeof(Word));
  constexpr int width = std::max(Policy::load_bytes, bytes);
  const bool fills_warps = args.in.n_rows * 32 * width <= ChunkShape<Policy, bytes>::bytes;
  const bool aligned = runs_align(args.in, width);
  aligned&& fills_warps ? launch_wide<Word, width, Policy>(stream, args)
                        : launch_wide<Word, bytes, Policy>(stream, args);
}

}  // namespace rafter::transpose_ladder::RAFTER_BACKEND
