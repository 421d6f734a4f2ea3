// Critical sections that begin without a fence. A lock is acquired by a compare-and-swap; the thread's accesses before
// its next fence may take effect before the lock is held. Such an access conflicts only when this thread is the second
// to hold the lock, so it is stored with the release that ends the section.
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

class CriticalSections {
 public:
  /// A word accessed early, and the widest fence before the access since the lock was acquired.
  struct EarlyAccess {
    const void* word;
    std::optional<rafter_simt::Scope> fence;
  };
  using EarlyAccesses = std::vector<EarlyAccess>;

  /// A lane of a warp, and its block's number, because Warp objects are reused.
  struct Thread {
    const void* warp;
    unsigned lane;
    std::int64_t block;
  };

  void entered(const Thread& thread, const void* lock) {
    Section& section = of(thread);
    section.lock = lock;
    section.block = thread.block;
    section.fence.reset();
    section.words.clear();
  }
  /// fenced() and accessed() return false if no further accesses of the section need to be recorded.
  bool fenced(const Thread& thread, rafter_simt::Scope scope) {
    Section& section = of(thread);
    section.fence = section.fence ? std::max(*section.fence, scope) : scope;
    return scope < rafter_simt::Scope::device;
  }
  bool accessed(const Thread& thread, const void* word) {
    constexpr std::size_t most_words = 4;
    Section& section = of(thread);
    if (word != section.lock) section.words.push_back({word, section.fence});
    return section.words.size() < most_words;
  }
  /// Whether `lock` is the lock that the thread acquired last.
  bool is_inside(const Thread& thread, const void* lock) const { return early_accesses(thread, lock) != nullptr; }
  /// Returns the early accesses of the section that the thread ends by writing `lock`; nullptr if it does not hold it.
  const EarlyAccesses* early_accesses(const Thread& thread, const void* lock) const {
    const auto warp = warps_.find(thread.warp);
    if (warp == warps_.end()) return nullptr;
    const Section& section = (*warp->second)[thread.lane];
    return section.lock == lock && section.block == thread.block ? &section.words : nullptr;
  }
  void clear() { warps_.clear(); }

 private:
  struct Section {
    const void* lock = nullptr;
    std::int64_t block = 0;
    std::optional<rafter_simt::Scope> fence;  // the widest since the lock was acquired
    EarlyAccesses words;
  };
  using Lanes = std::array<Section, 32>;

  Section& of(const Thread& thread) {
    std::unique_ptr<Lanes>& lanes = warps_[thread.warp];
    if (!lanes) lanes = std::make_unique<Lanes>();
    return (*lanes)[thread.lane];
  }

  std::unordered_map<const void*, std::unique_ptr<Lanes>> warps_;
};

}  // namespace rafter::simt
