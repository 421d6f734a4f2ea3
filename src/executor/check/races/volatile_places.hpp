// The places of volatile accesses that each thread of a block has executed since its warp's last barrier. They tell
// code that relies on lanes in lockstep, which all lanes execute, from a flag between two lanes in different branches.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace rafter::simt {

class VolatilePlaces {
 public:
  void executed(unsigned thread, std::uint64_t phase, std::uint32_t site) {
    if (threads_.size() <= thread) threads_.resize(1024);
    Executed& mine = threads_[thread];
    if (mine.phase != phase) mine = {.phase = phase};
    if (mine.n <= mine.sites.size() && !holds(mine, site)) {
      if (mine.n < mine.sites.size()) mine.sites[mine.n] = site;
      ++mine.n;
    }
  }

  /// Whether the thread has executed the access, or may have: only a few places are kept.
  bool may_have_executed(unsigned thread, std::uint64_t phase, std::uint32_t site) const {
    if (threads_.size() <= thread) return true;
    const Executed& other = threads_[thread];
    return other.phase != phase || other.n > other.sites.size() || holds(other, site);
  }

 private:
  struct Executed {
    std::uint64_t phase = 0;
    std::size_t n = 0;  // one more than are kept: some are missing
    std::array<std::uint32_t, 24> sites{};
  };
  static bool holds(const Executed& one, std::uint32_t site) {
    const auto end = one.sites.begin() + static_cast<std::ptrdiff_t>(std::min(one.n, one.sites.size()));
    return std::find(one.sites.begin(), end, site) != end;
  }

  std::vector<Executed> threads_;
};

}  // namespace rafter::simt
