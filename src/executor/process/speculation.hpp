// A checked launch whose blocks several workers share runs on speculation. As long as nothing is found and no block
// could have noticed another, sharing makes no difference, and it stands. Otherwise the speculation has failed: all
// that it did is undone, and the launch runs again on one worker, so that findings, their order and their counts are
// those of one.
#pragma once

#include <atomic>

namespace rafter::simt {

class Speculation {
 public:
  void begin() {
    has_failed_ = false;
    is_active_ = true;
  }
  void end() { is_active_ = false; }
  void fail() { has_failed_ = true; }

  bool is_active() const { return is_active_.load(std::memory_order_relaxed); }
  bool has_failed() const { return has_failed_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> is_active_ = false, has_failed_ = false;
};

/// Of the launch under way; there is one at a time.
inline Speculation speculation;

/// Whether the calling OS thread runs blocks.
inline constinit thread_local bool is_worker = false;

/// Whether the calling OS thread runs blocks of a launch on speculation.
inline bool is_speculating() { return is_worker && speculation.is_active(); }

}  // namespace rafter::simt
