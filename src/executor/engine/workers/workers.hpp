// The pool of OS threads that run blocks. The host thread that launches is a worker, too, unless an observer is active.
// Then, and when no block is left, it waits for the others.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "executor/engine/grid.hpp"

namespace rafter::simt {

class Workers {
 public:
  /// Runs `grid` on `n` workers. The caller ensures that there is one launch at a time.
  void run(Grid& grid, int n);

 private:
  /// The number of launches so far, and of workers that may still join the last one. Both are one atomic value, so that
  /// a worker can only join the launch that it has seen.
  struct Call {
    std::uint32_t launch;
    int to_come;
  };

  void begin(Grid& grid, int n);
  void dismiss_late_workers();
  void wait_for_end(bool has_core);
  void start_one();
  [[noreturn]] void work(int number);
  bool joins(int number, Call call);
  void leave();

  // Published by `call_`.
  Grid* grid_ = nullptr;
  std::atomic<int> wanted_ = 0;  // the workers with lower numbers take part
  std::atomic<Call> call_{Call{0, 0}};
  std::atomic<int> running_ = 0;  // workers that have not joined yet, and those that run blocks

  std::mutex mutex_;  // for the condition variables
  std::condition_variable begin_, done_;
  int n_started_ = 0;  // the threads never end
};

Workers& workers();

}  // namespace rafter::simt
