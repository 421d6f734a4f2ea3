#include "executor/engine/grid.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>

namespace rafter::simt {
namespace {

// A schedule permutes blocks within windows of this size: a GPU also starts blocks roughly in order.
constexpr std::int64_t window = 64;

}  // namespace

Grid::Grid(const rafter_simt::Launch& launch, std::optional<std::uint64_t> schedule, std::int64_t sample)
    : launch_(launch),
      n_blocks_(std::int64_t{launch.grid.x} * launch.grid.y * launch.grid.z),
      cluster_size_(launch.cluster.x * launch.cluster.y * launch.cluster.z),
      n_all_(n_blocks_ / cluster_size_),
      n_starts_(sample > 0 ? std::min(sample, n_all_) : n_all_),
      schedule_(schedule) {}

std::optional<std::int64_t> Grid::take_block() {
  const std::int64_t n = next_.fetch_add(1);
  if (n >= n_starts_) {
    const BlockRange one = is_divided() ? take_of_any(0, 1, 1) : BlockRange{0, 0};
    return one.n > 0 ? std::optional(one.first) : std::nullopt;
  }
  if (n_starts_ < n_all_) return n_starts_ == 1 ? 0 : n * (n_all_ - 1) / (n_starts_ - 1);
  if (!schedule_) return n;
  const std::int64_t first = n / window * window, size = std::min(window, n_starts_ - first);
  std::vector<std::int64_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), first);
  std::mt19937_64 random(*schedule_ * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(first));
  std::shuffle(order.begin(), order.end(), random);
  return order[static_cast<std::size_t>(n - first)];
}

Grid::BlockRange Grid::take_blocks(int worker) {
  if (n_starts_ < n_all_) {
    const auto one = take_block();
    return {one.value_or(0), one ? 1 : 0};
  }
  divide();
  // At least some microseconds of work, if there is enough of it.
  const std::int64_t n_threads = std::int64_t{launch_.block.x} * launch_.block.y * launch_.block.z;
  const std::int64_t least = std::min(4096 / n_threads, n_starts_ / (32 * n_parts_));
  return take_of_any(static_cast<std::size_t>((worker + 1) % n_parts_), std::max<std::int64_t>(least, 1), n_starts_);
}

// The first worker to call it divides; the others wait.
void Grid::divide() {
  auto none = Division::none;
  if (division_.load() == Division::none && division_.compare_exchange_strong(none, Division::under_way)) {
    const std::int64_t first = std::min(next_.exchange(n_starts_), n_starts_), left = n_starts_ - first;
    parts_ = std::vector<Part>(static_cast<std::size_t>(n_parts_));
    for (std::int64_t i = 0; i < n_parts_; ++i) {
      Part& part = parts_[static_cast<std::size_t>(i)];
      part.next = first + left * i / n_parts_;
      part.end = first + left * (i + 1) / n_parts_;
    }
    division_ = Division::done;
  }
  is_divided();
}

/// Whether all blocks that are left are in parts. Waits for a division in progress.
bool Grid::is_divided() const {
  while (division_.load() == Division::under_way) std::this_thread::yield();
  return division_.load() == Division::done;
}

Grid::BlockRange Grid::take_of(Part& part, std::int64_t at_least, std::int64_t at_most) {
  const std::int64_t left = part.end - part.next.load(std::memory_order_relaxed);
  if (left <= 0) return {0, 0};
  const std::int64_t wanted = std::clamp(left / 4, at_least, at_most);
  const std::int64_t first = part.next.fetch_add(wanted, std::memory_order_relaxed);
  return {first, std::clamp<std::int64_t>(part.end - first, 0, wanted)};
}

Grid::BlockRange Grid::take_of_any(std::size_t own, std::int64_t at_least, std::int64_t at_most) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const BlockRange taken = take_of(parts_[(own + i) % parts_.size()], at_least, at_most);
    if (taken.n > 0) return taken;
  }
  return {0, 0};
}

Grid::BlockRange Grid::take_range() {
  const std::int64_t left = n_starts_ - next_.load(std::memory_order_relaxed);
  const std::int64_t wanted = std::max<std::int64_t>(left / (4 * n_sharing_), 1);
  const std::int64_t first = next_.fetch_add(wanted, std::memory_order_relaxed);
  return {first, std::clamp<std::int64_t>(n_starts_ - first, 0, wanted)};
}

uint3 Grid::block_index(std::int64_t linear) const {
  const std::int64_t row = linear / launch_.grid.x;
  return {static_cast<unsigned>(linear % launch_.grid.x), static_cast<unsigned>(row % launch_.grid.y),
          static_cast<unsigned>(row / launch_.grid.y)};
}

uint3 Grid::cluster_index(std::int64_t cluster) const {
  const std::int64_t n_x = launch_.grid.x / launch_.cluster.x, n_y = launch_.grid.y / launch_.cluster.y;
  const std::int64_t row = cluster / n_x;
  return {static_cast<unsigned>(cluster % n_x), static_cast<unsigned>(row % n_y), static_cast<unsigned>(row / n_y)};
}

uint3 Grid::block_of_cluster(uint3 cluster, unsigned rank) const {
  const dim3& shape = launch_.cluster;
  const unsigned row = rank / shape.x;
  return {cluster.x * shape.x + rank % shape.x, cluster.y * shape.y + row % shape.y,
          cluster.z * shape.z + row / shape.y};
}

}  // namespace rafter::simt
