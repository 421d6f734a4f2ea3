// A launch under way: which blocks are left, and how it ended.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rafter_simt/abi.hpp"

namespace rafter::simt {

class Grid {
 public:
  Grid(const rafter_simt::Launch& launch, std::optional<std::uint64_t> schedule);

  const rafter_simt::Launch& launch() const { return launch_; }
  std::int64_t n_blocks() const { return n_blocks_; }
  bool is_cooperative() const { return launch_.cooperative != 0; }

  /// The next block to start; nothing when all have been.
  std::optional<std::int64_t> take_block();
  bool has_blocks_left() const { return next_.load(std::memory_order_relaxed) < n_blocks_; }
  uint3 block_index(std::int64_t linear) const;

  void fail(int error) {
    int none = 0;
    error_.compare_exchange_strong(none, error);
  }
  int error() const { return error_.load(std::memory_order_relaxed); }

 private:
  const rafter_simt::Launch launch_;
  const std::int64_t n_blocks_;
  const std::optional<std::uint64_t> schedule_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<int> error_{0};
};

}  // namespace rafter::simt
