// The OS threads that run blocks. A host thread that launches is one of them, unless an observer looks on; then, and
// when it has no block left, it waits until they are through.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "simt/engine/grid.hpp"

namespace rafter::simt {

class Workers {
 public:
  /// Runs `grid` on `n` workers; the caller sees to it that there is one launch at a time.
  void run(Grid& grid, int n);

 private:
  void begin(Grid& grid, int n);
  void go_without_late_ones();
  void wait_for_end(bool has_core);
  void start_one();
  [[noreturn]] void work(int number);

  std::mutex mutex_;
  std::condition_variable begin_, done_;
  int n_started_ = 0;  // their threads never end
  Grid* grid_ = nullptr;
  std::atomic<std::uint64_t> generation_ = 0;  // of launches
  int wanted_ = 0;                             // workers that take part
  int to_come_ = 0;                            // of them, those that have not woken up yet
  std::atomic<int> running_ = 0;               // they, and those at work
};

Workers& workers();

}  // namespace rafter::simt
