// A launch that runs: which of its blocks are left, how workers divide them, its child grids, and its result.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "rafter_simt/abi.hpp"

namespace rafter::simt {

/// A launch that a thread of a grid made (CUDA dynamic parallelism).
struct ChildGrid {
  rafter_simt::Launch launch;
  std::shared_ptr<void> closure;  // the launch's
  std::int64_t block;             // the block that made it
  bool is_tail;                   // runs after all other child grids and their children
};

/// The child grids of a grid. CUDA lets them run any time before their parent counts as ended. Here they run after its
/// threads, those of a block in the order of their launches.
class ChildGrids {
 public:
  void add(ChildGrid child) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(child));
  }
  /// Removes and returns all, in the order in which they run. It does not depend on the order in which blocks ran.
  std::vector<ChildGrid> take() {
    std::stable_sort(all_.begin(), all_.end(), [](const ChildGrid& a, const ChildGrid& b) {
      return std::tie(a.is_tail, a.block) < std::tie(b.is_tail, b.block);
    });
    return std::exchange(all_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<ChildGrid> all_;
};

class Grid {
 public:
  /// `sample`: how many of the blocks (or clusters) run, evenly spaced from the first to the last; 0: all of them.
  Grid(const rafter_simt::Launch& launch, std::optional<std::uint64_t> schedule, std::int64_t sample = 0);

  const rafter_simt::Launch& launch() const { return launch_; }
  std::int64_t n_blocks() const { return n_blocks_; }
  /// Returns the number of blocks that run.
  std::int64_t n_sampled() const { return n_starts_ * cluster_size_; }
  bool is_cooperative() const { return launch_.cooperative != 0; }

  bool has_clusters() const { return cluster_size_ > 1; }
  unsigned cluster_size() const { return cluster_size_; }

  /// Takes the next block (or cluster) to start; nothing when none is left.
  std::optional<std::int64_t> take_block();
  /// Consecutive blocks: the first, and their number.
  struct BlockRange {
    std::int64_t first, n;
  };
  /// Takes several independent blocks. The blocks that are left are divided among the workers once, so that each worker
  /// walks through memory sequentially, and in the next launch through the same part, which may still be in its core's
  /// cache. A worker that has finished its part steals from others. Each call takes a fraction of what is left (guided
  /// self-scheduling), so that all workers finish together.
  BlockRange take_blocks(int worker);
  /// Sets the number of parts: the most workers that take part.
  void divide_among(int n_workers) { n_parts_ = n_workers; }
  /// Takes the next blocks for a worker that shares a checked launch: guided self-scheduling over the whole grid.
  BlockRange take_range();
  void share_among(int n_workers) { n_sharing_ = n_workers; }
  /// The number of its blocks that the device can run at the same time; 0: unknown.
  std::int64_t n_resident_at_most() const { return n_resident_at_most_; }
  int n_multiprocessors() const { return n_multiprocessors_; }
  void set_residency(std::int64_t n_at_most, int n_multiprocessors) {
    n_resident_at_most_ = n_at_most;
    n_multiprocessors_ = n_multiprocessors;
  }
  int n_sharing() const { return n_sharing_; }
  bool has_blocks_left() const { return next_.load(std::memory_order_relaxed) < n_starts_; }
  uint3 block_index(std::int64_t linear) const;
  std::int64_t linear(uint3 block) const {
    return (std::int64_t{block.z} * launch_.grid.y + block.y) * launch_.grid.x + block.x;
  }
  /// Returns a cluster's index in the grid of clusters.
  uint3 cluster_index(std::int64_t cluster) const;
  /// Returns the index of a cluster's block of that rank.
  uint3 block_of_cluster(uint3 cluster, unsigned rank) const;

  /// Requests that the launch restarts with clusters of this shape, which its kernel declares.
  void ask_for_clusters(dim3 shape) { asked_[0] = shape.x, asked_[1] = shape.y, asked_[2] = shape.z; }
  std::optional<dim3> asked_clusters() const {
    return asked_[0] == 0 ? std::nullopt : std::optional(dim3(asked_[0], asked_[1], asked_[2]));
  }

  // A worker is idle while its blocks only wait: for a block of another worker, or for one that has not started.
  void worker_became_busy() { n_busy_.fetch_add(1, std::memory_order_relaxed); }
  void worker_became_idle() { n_busy_.fetch_sub(1, std::memory_order_relaxed); }
  bool is_any_worker_busy() const { return n_busy_.load(std::memory_order_relaxed) > 0; }
  /// Counts the slices of blocks, of all workers, that made progress.
  void count_progress() { progress_.fetch_add(1, std::memory_order_relaxed); }
  std::uint64_t progress() const { return progress_.load(std::memory_order_relaxed); }

  void fail(int error) {
    int none = 0;
    error_.compare_exchange_strong(none, error);
  }
  int error() const { return error_.load(std::memory_order_relaxed); }
  ChildGrids& child_grids() { return child_grids_; }

 private:
  /// A worker's part of the blocks that were left when take_blocks() was first called.
  struct alignas(64) Part {
    std::atomic<std::int64_t> next{0};
    std::int64_t end = 0;
  };
  enum class Division : int { none, under_way, done };
  void divide();
  bool is_divided() const;
  static BlockRange take_of(Part& part, std::int64_t at_least, std::int64_t at_most);
  BlockRange take_of_any(std::size_t own, std::int64_t at_least, std::int64_t at_most);

  const rafter_simt::Launch launch_;
  const std::int64_t n_blocks_;
  const unsigned cluster_size_;
  const std::int64_t n_all_;     // blocks or clusters
  const std::int64_t n_starts_;  // how many of them run
  const std::optional<std::uint64_t> schedule_;
  int n_sharing_ = 1;
  std::int64_t n_resident_at_most_ = 0;
  int n_multiprocessors_ = 0;
  std::atomic<std::int64_t> next_{0};
  std::atomic<Division> division_{Division::none};
  int n_parts_ = 1;
  std::vector<Part> parts_;  // after the division, all blocks that are left
  std::atomic<int> n_busy_{0};
  std::atomic<std::uint64_t> progress_{0};
  std::atomic<int> error_{0};
  std::array<std::atomic<unsigned>, 3> asked_{};
  ChildGrids child_grids_;
};

}  // namespace rafter::simt
