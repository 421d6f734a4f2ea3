// The counters of a profile, per kernel and place in the code.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "executor/count/footprint.hpp"
#include "executor/count/passes.hpp"
#include "executor/process/finding.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {

enum class AccessKind : std::uint8_t { load, store, atomic };
const char* name(AccessKind kind);

/// The counters of one place. A request is one memory instruction of a warp.
struct PlaceCounts {
  std::uint64_t requests = 0;
  std::uint64_t lanes = 0;             // active lanes, summed over all requests
  std::uint64_t bytes = 0;             // requested
  std::uint64_t distinct_bytes = 0;    // as `bytes`, but bytes that lanes of a request share are counted once
  std::uint64_t sectors = 0;           // of 32 bytes, in global memory and in shared memory of other blocks
  std::uint64_t ideal_sectors = 0;     // for the same bytes if they were contiguous
  std::uint64_t wavefronts = 0;        // passes over the banks of shared memory
  std::uint64_t ideal_wavefronts = 0;  // without bank conflicts
  std::uint64_t worst_contention = 0;  // atomics: most lanes of one request at one address
  std::uint64_t strided = 0;           // requests with all adjacent lanes `stride` bytes apart
  std::int64_t stride = 0;             // of the first request
};

struct PlaceKey {
  const void* place;
  Space space;
  AccessKind kind;
  auto operator<=>(const PlaceKey&) const = default;
};

/// The most that any thread did, in a launch: in bytes, vector accesses with all of theirs. Bulk copies do not count.
struct BusiestThread {
  std::uint64_t global_loads = 0, global_stores = 0, shared_loads = 0;
};

struct LaunchShape {
  std::array<unsigned, 3> grid, block, cluster;
  std::uint64_t shared_bytes;  // dynamic
  auto operator<=>(const LaunchShape&) const = default;
};

struct KernelCounts {
  std::map<PlaceKey, PlaceCounts> places;
  std::map<const void*, std::uint64_t> barriers;  // arrivals of threads
  std::map<const void*, PassCounts> passes;
  FootprintCounts footprint;
  BusiestThread busiest;
  std::uint64_t hottest_atomics = 0;         // most updates of one address in one launch
  std::uint64_t hottest_global_atomics = 0;  // in global memory only
  std::uint64_t launches = 0;
  std::map<LaunchShape, std::uint64_t> shapes;  // number of launches of each shape
  // In all launches; counted_blocks: those that ran, if only a sample did.
  std::uint64_t blocks = 0, counted_blocks = 0;
};

struct TransferKey {
  const void* place;
  Transfer::Direction direction;
  Transfer::HostMemory host_memory;
  auto operator<=>(const TransferKey&) const = default;
};
struct TransferCounts {
  std::uint64_t copies = 0, bytes = 0;
};

}  // namespace rafter::simt
