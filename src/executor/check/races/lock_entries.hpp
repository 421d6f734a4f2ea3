// Critical sections that begin without a fence. A lock is taken by a compare-and-swap; what the thread touches before
// its next fence may happen before the lock is its own. That shows in no order of threads but the one in which it comes
// second, so it is remembered with the release that ends the section.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rafter_simt/abi.hpp"

namespace rafter::simt {

class LockEntries {
 public:
  /// A word that was touched behind a fence of that scope, or none.
  struct Touched {
    const void* word;
    std::optional<rafter_simt::Scope> fence;
  };
  using Words = std::vector<Touched>;

  /// A lane of a warp, and its block's number: warps are used again.
  struct Thread {
    const void* warp;
    unsigned lane;
    std::int64_t block;
  };

  void took(const Thread& thread, const void* lock) {
    Taken& taken = of(thread);
    taken.lock = lock;
    taken.block = thread.block;
    taken.fence.reset();
    taken.words.clear();
  }
  /// Both give false when nothing more needs to be noted.
  bool fenced(const Thread& thread, rafter_simt::Scope scope) {
    Taken& taken = of(thread);
    taken.fence = taken.fence ? std::max(*taken.fence, scope) : scope;
    return scope < rafter_simt::Scope::device;
  }
  bool touched(const Thread& thread, const void* word) {
    constexpr std::size_t most_words = 4;
    Taken& taken = of(thread);
    if (word != taken.lock) taken.words.push_back({word, taken.fence});
    return taken.words.size() < most_words;
  }
  /// Whether that is the lock that the thread took last.
  bool is_taken(const Thread& thread, const void* lock) const { return gave_back(thread, lock) != nullptr; }
  /// What was touched too early, when the thread gives back the lock that it took last; nullptr when it does not.
  const Words* gave_back(const Thread& thread, const void* lock) const {
    const auto warp = warps_.find(thread.warp);
    if (warp == warps_.end()) return nullptr;
    const Taken& taken = (*warp->second)[thread.lane];
    return taken.lock == lock && taken.block == thread.block ? &taken.words : nullptr;
  }
  void clear() { warps_.clear(); }

 private:
  struct Taken {
    const void* lock = nullptr;
    std::int64_t block = 0;
    std::optional<rafter_simt::Scope> fence;  // the widest since then
    Words words;
  };
  using Lanes = std::array<Taken, 32>;

  Taken& of(const Thread& thread) {
    std::unique_ptr<Lanes>& lanes = warps_[thread.warp];
    if (!lanes) lanes = std::make_unique<Lanes>();
    return (*lanes)[thread.lane];
  }

  std::unordered_map<const void*, std::unique_ptr<Lanes>> warps_;
};

}  // namespace rafter::simt
