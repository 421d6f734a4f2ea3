// A checked launch whose blocks several workers share runs on trial. As long as nothing is found and no block could
// have noticed another, sharing makes no difference, and it stands. Otherwise the trial has failed: all that it did is
// undone, and the launch runs again on one worker, so that findings, their order and their counts are those of one.
#pragma once

#include <atomic>

namespace rafter::simt {

class Trial {
 public:
  void begin() {
    has_failed_ = false;
    is_on_ = true;
  }
  void end() { is_on_ = false; }
  void fail() { has_failed_ = true; }

  bool is_on() const { return is_on_.load(std::memory_order_relaxed); }
  bool has_failed() const { return has_failed_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> is_on_ = false, has_failed_ = false;
};

/// Of the launch under way; there is one at a time.
inline Trial trial;

/// Whether the calling OS thread runs blocks.
inline constinit thread_local bool is_worker = false;

/// Whether the calling OS thread runs blocks of a launch on trial.
inline bool is_on_trial() { return is_worker && trial.is_on(); }

}  // namespace rafter::simt
