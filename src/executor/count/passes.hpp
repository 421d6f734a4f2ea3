// Counts how often warps execute a basic block, and with how many lanes: the n-th pass of each lane of a warp is one
// pass of the warp. Needs a program that is compiled with -fsanitize-coverage=trace-pc (check/hooks.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace rafter::simt {

struct PassCounts {
  std::uint64_t warps = 0;  // passes of the lane that passes most often
  std::uint64_t lanes = 0;
};

/// The passes of the blocks that have not ended.
class Passes {
 public:
  void pass(const void* block, unsigned thread, const void* place) {
    if (block != block_) {
      block_ = block;
      warps_ = &blocks_[block];
    }
    const unsigned warp = thread / 32;
    if (warps_->size() <= warp) warps_->resize(warp + 1);
    ++(*warps_)[warp][place][thread % 32];
  }

  void block_ended(const void* block, std::map<const void*, PassCounts>& counts) {
    for (const auto& warp : blocks_[block]) {
      for (const auto& [place, lanes] : warp) {
        PassCounts& sum = counts[place];
        std::uint32_t most = 0;
        for (const std::uint32_t n : lanes) {
          most = n > most ? n : most;
          sum.lanes += n;
        }
        sum.warps += most;
      }
    }
    blocks_.erase(block);
    block_ = nullptr;
  }

 private:
  using Warp = std::unordered_map<const void*, std::array<std::uint32_t, 32>>;

  std::unordered_map<const void*, std::vector<Warp>> blocks_;
  std::vector<Warp>* warps_ = nullptr;
  const void* block_ = nullptr;
};

}  // namespace rafter::simt
