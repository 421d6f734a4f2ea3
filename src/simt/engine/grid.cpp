#include "simt/engine/grid.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace rafter::simt {
namespace {

// Blocks change places within windows of this many: a GPU starts them roughly in order, too.
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
  const std::int64_t n = next_.fetch_add(1, std::memory_order_relaxed);
  if (n >= n_starts_) return std::nullopt;
  if (n_starts_ < n_all_) return n_starts_ == 1 ? 0 : n * (n_all_ - 1) / (n_starts_ - 1);
  if (!schedule_) return n;
  const std::int64_t first = n / window * window, size = std::min(window, n_starts_ - first);
  std::vector<std::int64_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), first);
  std::mt19937_64 random(*schedule_ * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(first));
  std::shuffle(order.begin(), order.end(), random);
  return order[static_cast<std::size_t>(n - first)];
}

Grid::Several Grid::take_blocks() {
  if (n_starts_ < n_all_) {
    const auto one = take_block();
    return {one.value_or(0), one ? 1 : 0};
  }
  constexpr std::int64_t parts = 64;  // however many workers there are, the last part is a small one
  const std::int64_t n_threads = std::int64_t{launch_.block.x} * launch_.block.y * launch_.block.z;
  const std::int64_t most = std::max<std::int64_t>(64, 32768 / n_threads);  // work for some microseconds at least
  const std::int64_t left = n_starts_ - next_.load(std::memory_order_relaxed);
  const std::int64_t wanted = std::clamp<std::int64_t>(left / parts, 1, most);
  const std::int64_t first = next_.fetch_add(wanted, std::memory_order_relaxed);
  return {first, std::clamp<std::int64_t>(n_starts_ - first, 0, wanted)};
}

Grid::Several Grid::take_run() {
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
