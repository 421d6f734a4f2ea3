#include "simt/engine/grid.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace rafter::simt {
namespace {

// Blocks change places within windows of this many: a GPU starts them roughly in order, too.
constexpr std::int64_t window = 64;

}  // namespace

Grid::Grid(const rafter_simt::Launch& launch, std::optional<std::uint64_t> schedule)
    : launch_(launch), n_blocks_(std::int64_t{launch.grid.x} * launch.grid.y * launch.grid.z), schedule_(schedule) {}

std::optional<std::int64_t> Grid::take_block() {
  const std::int64_t n = next_.fetch_add(1, std::memory_order_relaxed);
  if (n >= n_blocks_) return std::nullopt;
  if (!schedule_) return n;
  const std::int64_t first = n / window * window, size = std::min(window, n_blocks_ - first);
  std::vector<std::int64_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), first);
  std::mt19937_64 random(*schedule_ * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(first));
  std::shuffle(order.begin(), order.end(), random);
  return order[static_cast<std::size_t>(n - first)];
}

uint3 Grid::block_index(std::int64_t linear) const {
  const std::int64_t row = linear / launch_.grid.x;
  return {static_cast<unsigned>(linear % launch_.grid.x), static_cast<unsigned>(row % launch_.grid.y),
          static_cast<unsigned>(row / launch_.grid.y)};
}

}  // namespace rafter::simt
