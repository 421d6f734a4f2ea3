// A launch under way: which blocks are left, and how it ended.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "executor/engine/workers/children.hpp"
#include "rafter_simt/abi.hpp"

namespace rafter::simt {

class Grid {
 public:
  /// Of its blocks (or clusters) only `sample` run, at even distances from the first to the last; 0: all.
  Grid(const rafter_simt::Launch& launch, std::optional<std::uint64_t> schedule, std::int64_t sample = 0);

  const rafter_simt::Launch& launch() const { return launch_; }
  std::int64_t n_blocks() const { return n_blocks_; }
  std::int64_t n_sampled() const { return n_starts_ * cluster_size_; }  ///< those that run
  bool is_cooperative() const { return launch_.cooperative != 0; }

  bool has_clusters() const { return cluster_size_ > 1; }

  /// The next block to start, or the next cluster; nothing when all have been.
  std::optional<std::int64_t> take_block();
  /// Several at once, in their natural order: the first of them and how many. For blocks that know nothing of each
  /// other: what is left is divided among the workers once, so that each goes through memory in one long line, and in
  /// the next launch through the same, which may still be in its core's cache. Who is through helps others; who takes
  /// takes a part of what is left, so that all come to an end together.
  struct Several {
    std::int64_t first, n;
  };
  Several take_blocks(int worker);
  /// How many workers take part at most.
  void divide_among(int n_workers) { n_parts_ = n_workers; }
  /// The same, in longer runs, for workers that share a checked launch.
  Several take_run();
  void share_among(int n_workers) { n_sharing_ = n_workers; }
  int n_sharing() const { return n_sharing_; }
  bool has_blocks_left() const { return next_.load(std::memory_order_relaxed) < n_starts_; }
  uint3 block_index(std::int64_t linear) const;
  std::int64_t linear(uint3 block) const {
    return (std::int64_t{block.z} * launch_.grid.y + block.y) * launch_.grid.x + block.x;
  }
  /// A cluster's place among the clusters, by its number, and the place of one of its blocks by rank.
  uint3 cluster_index(std::int64_t cluster) const;
  uint3 block_of_cluster(uint3 cluster, unsigned rank) const;
  unsigned cluster_size() const { return cluster_size_; }

  /// The launch shall start again in such clusters: its kernel has them.
  void ask_for_clusters(dim3 shape) { asked_[0] = shape.x, asked_[1] = shape.y, asked_[2] = shape.z; }
  std::optional<dim3> asked_clusters() const {
    return asked_[0] == 0 ? std::nullopt : std::optional(dim3(asked_[0], asked_[1], asked_[2]));
  }

  // A worker is at work until all its blocks only wait: for a block that another worker is about to end, or for one
  // that nobody has started.
  void begin_work() { n_at_work_.fetch_add(1, std::memory_order_relaxed); }
  void end_work() { n_at_work_.fetch_sub(1, std::memory_order_relaxed); }
  bool is_anybody_at_work() const { return n_at_work_.load(std::memory_order_relaxed) > 0; }
  /// Turns of blocks, of all workers, that were not in vain.
  void count_progress() { progress_.fetch_add(1, std::memory_order_relaxed); }
  std::uint64_t progress() const { return progress_.load(std::memory_order_relaxed); }

  void fail(int error) {
    int none = 0;
    error_.compare_exchange_strong(none, error);
  }
  int error() const { return error_.load(std::memory_order_relaxed); }
  Children& children() { return children_; }

 private:
  /// Of what was left when a worker first took several.
  struct alignas(64) Part {
    std::atomic<std::int64_t> next{0};
    std::int64_t end = 0;
  };
  enum class Division : int { none, under_way, done };
  void divide();
  bool is_divided() const;
  static Several take_of(Part& part, std::int64_t at_least, std::int64_t at_most);
  Several take_of_any(std::size_t own, std::int64_t at_least, std::int64_t at_most);

  const rafter_simt::Launch launch_;
  const std::int64_t n_blocks_;
  const unsigned cluster_size_;
  const std::int64_t n_all_;     // blocks or clusters
  const std::int64_t n_starts_;  // of them
  const std::optional<std::uint64_t> schedule_;
  int n_sharing_ = 1;
  std::atomic<std::int64_t> next_{0};
  std::atomic<Division> division_{Division::none};
  int n_parts_ = 1;
  std::vector<Part> parts_;  // once they are there, all that is left is in them
  std::atomic<int> n_at_work_{0};
  std::atomic<std::uint64_t> progress_{0};
  std::atomic<int> error_{0};
  std::array<std::atomic<unsigned>, 3> asked_{};
  Children children_;
};

}  // namespace rafter::simt
