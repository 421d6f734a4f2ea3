// When something happened: points in the life of a warp and of a thread.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

namespace rafter::simt {

class ClusterBarriers;

/// A point in a block's life as one of its warps sees it; neither ever goes back.
struct WarpTime {
  std::uint32_t epoch = 0;  // block barriers passed
  std::uint32_t time = 0;   // of the warp's clock

  auto operator<=>(const WarpTime&) const = default;
};

/// A stretch of a warp's life between two synchronisations; accesses are recorded under it.
struct Segment {
  std::uint32_t block;
  std::uint32_t warp;
  std::uint32_t epoch;
  std::uint32_t time;

  /// In `block`: what goes on by itself, in a block of its own, so that no barrier orders it.
  static constexpr std::uint32_t of_agents = 1u << 31;

  WarpTime warp_time() const { return {epoch, time}; }
  bool is_of_agent() const { return (block & of_agents) != 0; }
};

/// A point in a thread's life, with what it knows of the other lanes of its warp, and of its cluster.
struct Moment {
  std::uint32_t block;
  std::uint32_t thread;
  std::uint32_t epoch;
  std::uint32_t time;
  std::array<std::uint32_t, 32> view;
  const ClusterBarriers* cluster = nullptr;
  std::uint32_t n_cluster_waits = 0;

  /// Whether what a lane did in `segment` happened before, by barriers and __syncwarp alone.
  bool is_after(const Segment& segment, unsigned lane) const;
};

}  // namespace rafter::simt
