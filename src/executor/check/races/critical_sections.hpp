// Critical sections that begin without a fence. A lock is section by a compare-and-swap; what the thread touches before
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

class CriticalSections {
 public:
  /// A word that was accessed behind a fence of that scope, or none.
  struct EarlyAccess {
    const void* word;
    std::optional<rafter_simt::Scope> fence;
  };
  using EarlyAccesses = std::vector<EarlyAccess>;

  /// A lane of a warp, and its block's number: warps are used again.
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
  /// Both give false when nothing more needs to be noted.
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
  /// Whether that is the lock that the thread entered last.
  bool is_inside(const Thread& thread, const void* lock) const { return early_accesses(thread, lock) != nullptr; }
  /// What was accessed too early, when the thread gives back the lock that it entered last; nullptr when it does not.
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
    std::optional<rafter_simt::Scope> fence;  // the widest since then
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
