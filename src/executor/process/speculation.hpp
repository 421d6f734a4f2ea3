// Speculative execution of a checked launch by several workers. If there is no finding and no conflict between blocks
// of different workers, the result is the one of a single worker and is committed. Otherwise the speculation fails: the
// launch is rolled back and runs again on one worker, so that the findings, their order and their counts are
// deterministic.
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

/// The speculation of the current launch. There is at most one launch at a time.
inline Speculation speculation;

/// Whether the calling OS thread runs blocks.
inline constinit thread_local bool is_worker = false;

/// Whether the calling OS thread runs blocks of a speculative launch.
inline bool is_speculating() { return is_worker && speculation.is_active(); }

}  // namespace rafter::simt
