// The kernel of the scan. Persistent blocks take tiles by ticket. A block publishes its tile's sum, finds the sum of
// all tiles before it by looking back, and writes the running sums.
// Bound by DRAM: every byte is read once and written once; later tiles in the block's ring hide a tile's wait for its
// prefix. core/cuda/single_pass.cuh owns the shared memory and states which barrier frees a stage.
#pragma once

#include <algorithm>

#include "library/core/cuda/dynamic_shared.cuh"
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/scan.cuh"
#include "library/core/cuda/single_pass.cuh"
#include "library/core/stream/scratch.hpp"
#include "scan/scan_rung.hpp"

namespace rafter::scan_ladder::RAFTER_BACKEND {

struct ScanPolicy {
  // H200, 2^28 floats, kernel alone in a loop (NOTES.md; `rafter run scan` flushes the L2 and gives 588 us): 548 us;
  // with three stages 564, 384 threads x 6 vectors x 3 stages x 2 blocks 567, 256 x 8 x 3 x 2 586.
  static constexpr int threads = 512;  // also the number of tiles in a look-back group
  static constexpr int vectors = 6;    // of 16 bytes, per thread: a tile of 48 KiB
  static constexpr int stages = 4;     // tiles in the ring: one being filled, one being reduced, two waiting
  static constexpr int blocks_per_sm = 1;
  static constexpr std::int64_t shared_bytes_per_sm = 200 << 10;  // 192 KiB and the block's other storage
};
/// The policy for GPUs with less shared memory, at least 100 KiB per multiprocessor.
struct NarrowScanPolicy {
  static constexpr int threads = 256;
  static constexpr int vectors = 8;
  static constexpr int stages = 3;
  static constexpr int blocks_per_sm = 1;
};
/// The policy for arrays of a few large tiles per multiprocessor, which would divide unevenly: 2^22 floats take 16.9 us
/// on an H200, with large tiles 20.0 (NOTES.md).
struct MediumScanPolicy {
  static constexpr int threads = 256;
  static constexpr int vectors = 4;
  static constexpr int stages = 3;
  static constexpr int blocks_per_sm = 4;
};
/// The policy for short arrays: more blocks with less work each.
struct SmallScanPolicy {
  static constexpr int threads = 128;
  static constexpr int vectors = 4;
  static constexpr int stages = 3;
  static constexpr int blocks_per_sm = 4;
};

template <class T>
struct ScanView {
  core::TiledArray<T> in;  // [n]
  T* out;                  // [n]
  bool vector_stores;      // out and in have the same offset from a 16-byte boundary
  ScanKind kind;
  core::PassArgs pass;
};

/// Returns the running sums of a vector, starting with `start`. Compared with a sum in Carry, one more rounding to T.
template <class T>
__device__ core::Vector<T> vector_scan(const core::Vector<T>& v, T start, ScanKind kind) {
  core::Vector<T> out;
  T sum = 0;
#pragma unroll
  for (int i = 0; i < core::Vector<T>::size; ++i) {
    const T next = sum + v.lane[i];
    out.lane[i] = start + (kind == ScanKind::inclusive ? next : sum);
    sum = next;
  }
  return out;
}

template <class T>
__device__ void store_vector(const ScanView<T>& args, std::int64_t at, bool whole, const core::Vector<T>& v) {
  if (whole && args.vector_stores) {
    *reinterpret_cast<core::Vector<T>*>(args.out + at) = v;
    return;
  }
#pragma unroll
  for (int i = 0; i < core::Vector<T>::size; ++i) {
    if (whole || (at + i >= 0 && at + i < args.in.n)) args.out[at + i] = v.lane[i];
  }
}

template <class Policy, class T>
struct ScanWork {
  using Tile = core::Tile<Policy, T>;
  const ScanView<T>& args;

  /// Returns the sum of the warp's segment, in all lanes. Collective: all lanes of a warp.
  __device__ Carry<T> reduce(std::int64_t, const core::Vector<T>* segment) const {
    const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
    T sum[2] = {};
#pragma unroll
    for (int k = 0; k < Policy::vectors; ++k) sum[k % 2] += segment[k * core::warp_size + lane].sum();
    const Carry<T> total = core::warp_sum(static_cast<Carry<T>>(sum[0]) + static_cast<Carry<T>>(sum[1]));
    return __shfl_sync(core::full_warp, total, 0);
  }

  /// Writes the warp's segment in rows of 32 vectors. Within a row sums are added in T, from row to row in Carry.
  /// Collective: all lanes of a warp.
  __device__ void finish(std::int64_t tile, const core::Vector<T>* segment,
                         const core::SegmentPrefix<Carry<T>>& prefix) const {
    const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
    const int warp = static_cast<int>(threadIdx.x) / core::warp_size;
    const bool whole = Tile::is_full(args.in, tile);
    const std::int64_t at = Tile::first(args.in, tile) + warp * Tile::segment_elements + lane * Tile::width;
    Carry<T> before = prefix.before + prefix.inside;
#pragma unroll
    for (int k = 0; k < Policy::vectors; ++k) {
      const core::Vector<T> v = segment[k * core::warp_size + lane];
      const T running = core::warp_inclusive_sum(v.sum());
      const T left = __shfl_up_sync(core::full_warp, running, 1);
      const T start = static_cast<T>(before + static_cast<Carry<T>>(lane == 0 ? T{0} : left));
      store_vector(args, at + k * (core::warp_size * Tile::width), whole, vector_scan(v, start, args.kind));
      before += static_cast<Carry<T>>(__shfl_sync(core::full_warp, running, core::warp_size - 1));
    }
  }
};

template <class Policy, class T>
__global__ void __launch_bounds__(Policy::threads, Policy::blocks_per_sm)
    scan_tiles_in_one_pass(ScanView<T> args, core::TileState* states) {
  using Prefixes = core::LookBack<Carry<T>, Policy::threads>;
  auto& storage = *core::dynamic_shared<core::PassStorage<Policy, T, Carry<T>, Prefixes>>();
  core::single_pass(args.in, args.pass, ScanWork<Policy, T>{args}, Prefixes{states}, storage);
}

template <class Policy, class T>
void launch_look_back(const Stream& stream, ScanView<T> args) {
  using Prefixes = core::LookBack<Carry<T>, Policy::threads>;
  constexpr std::int64_t shared_bytes = sizeof(core::PassStorage<Policy, T, Carry<T>, Prefixes>);
  args.pass.n_tiles = args.in.n_tiles(core::Tile<Policy, T>::elements);
  const std::int64_t state_bytes = args.pass.n_tiles * std::int64_t{sizeof(core::TileState)};
  auto* states = reinterpret_cast<core::TileState*>(core::scratch(stream, state_bytes));
  if (args.pass.n_tiles > 1) core::clear(stream, states, state_bytes);
  const std::int64_t resident = std::int64_t{stream.n_multiprocessors()} * Policy::blocks_per_sm;
  core::allow_shared(scan_tiles_in_one_pass<Policy, T>, shared_bytes);
  core::launch(scan_tiles_in_one_pass<Policy, T>, std::min(args.pass.n_tiles, resident), Policy::threads, shared_bytes,
               stream, args, states);
}

}  // namespace rafter::scan_ladder::RAFTER_BACKEND
