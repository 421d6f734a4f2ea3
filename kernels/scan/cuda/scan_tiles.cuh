// The kernel under the scan. Resident blocks take tiles by ticket; each publishes its tile's sum, and writes its
// running sums when it has found the sum of all tiles before it by looking back. Bound by DRAM: every byte is read once
// and written once; what a tile waits for is covered by the next ones.
#pragma once

#include <algorithm>

#include "library/core/cuda/dynamic_shared.cuh"
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/scan.cuh"
#include "library/core/cuda/single_pass.cuh"
#include "scan/scan_rung.hpp"

namespace rafter::scan_ladder::RAFTER_BACKEND {

struct ScanPolicy {
  // H200, 2^28 floats: 548 us; with three stages 564, 384 threads x 6 x 3 stages x 2 blocks 567, 256 x 8 x 3 x 2 586.
  static constexpr int threads = 512;  // also the tiles of a look-back group
  static constexpr int vectors = 6;    // of 16 bytes, per thread: a tile of 48 KiB
  static constexpr int stages = 4;     // tiles in shared memory: one on the way, one at work, two waiting
  static constexpr int blocks_per_sm = 1;
  static constexpr std::int64_t shared_bytes_per_sm = 200 << 10;  // 192 KiB and what goes with them
};
/// For GPUs with less shared memory: 100 KiB a multiprocessor at least.
struct NarrowScanPolicy {
  static constexpr int threads = 256;
  static constexpr int vectors = 8;
  static constexpr int stages = 3;
  static constexpr int blocks_per_sm = 1;
};
/// For short arrays: more blocks, with less to do each.
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
  bool vector_stores;      // out is aligned as in is
  ScanKind kind;
  core::PassArgs pass;
};

/// The running sums of a vector that begin with `start`; T rounds once more than Carry.
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

  __device__ Carry<T> look(std::int64_t, const core::Vector<T>* segment) const {
    const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
    T sum[2] = {};
#pragma unroll
    for (int k = 0; k < Policy::vectors; ++k) sum[k % 2] += segment[k * core::warp_size + lane].sum();
    const Carry<T> total = core::warp_sum(static_cast<Carry<T>>(sum[0]) + static_cast<Carry<T>>(sum[1]));
    return __shfl_sync(core::full_warp, total, 0);
  }

  /// Writes a warp's segment row by row: 32 vectors each, within which T is added up, and Carry from one to the next.
  __device__ void finish(std::int64_t tile, const core::Vector<T>* segment, const core::Place<Carry<T>>& place) const {
    const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
    const int warp = static_cast<int>(threadIdx.x) / core::warp_size;
    const bool whole = Tile::is_full(args.in, tile);
    const std::int64_t at = Tile::first(args.in, tile) + warp * Tile::segment_elements + lane * Tile::width;
    Carry<T> before = place.before + place.inside;
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
  using Places = core::LookBack<Carry<T>, Policy::threads>;
  auto& storage = *core::dynamic_shared<core::PassStorage<Policy, T, Carry<T>, Places>>();
  core::single_pass(args.in, args.pass, ScanWork<Policy, T>{args}, Places{states}, storage);
}

template <class Policy, class T>
void launch_look_back(const Stream& stream, ScanView<T> args) {
  using Places = core::LookBack<Carry<T>, Policy::threads>;
  constexpr std::int64_t shared_bytes = sizeof(core::PassStorage<Policy, T, Carry<T>, Places>);
  args.pass.n_tiles = args.in.n_tiles(core::Tile<Policy, T>::elements);
  const std::int64_t state_bytes = args.pass.n_tiles * std::int64_t{sizeof(core::TileState)};
  auto* states = reinterpret_cast<core::TileState*>(stream.scratch(state_bytes));
  if (args.pass.n_tiles > 1) core::clear(stream, states, state_bytes);
  const std::int64_t resident = std::int64_t{stream.n_multiprocessors()} * Policy::blocks_per_sm;
  core::allow_shared(scan_tiles_in_one_pass<Policy, T>, shared_bytes);
  core::launch(scan_tiles_in_one_pass<Policy, T>, std::min(args.pass.n_tiles, resident), Policy::threads, shared_bytes,
               stream, args, states);
}

}  // namespace rafter::scan_ladder::RAFTER_BACKEND
