// The OS threads that run blocks. A host thread that launches is one of them, unless an observer looks on; then, and
// when it has no block left, it waits until they are through.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "executor/engine/grid.hpp"

namespace rafter::simt {

class Workers {
 public:
  /// Runs `grid` on `n` workers; the caller sees to it that there is one launch at a time.
  void run(Grid& grid, int n);

 private:
  /// Of launches so far, and how many workers have not joined the last one yet. One number, so that nobody joins a
  /// launch other than the one it has seen.
  struct Call {
    std::uint32_t launch;
    int to_come;
  };

  void begin(Grid& grid, int n);
  void go_without_late_ones();
  void wait_for_end(bool has_core);
  void start_one();
  [[noreturn]] void work(int number);
  bool joins(int number, Call call);
  void leave();

  // What is below, `call_` says is there.
  Grid* grid_ = nullptr;
  std::atomic<int> wanted_ = 0;  // workers that take part: those of the first numbers
  std::atomic<Call> call_{Call{0, 0}};
  std::atomic<int> running_ = 0;  // those that have not joined yet, and those at work

  std::mutex mutex_;  // of those who sleep
  std::condition_variable begin_, done_;
  int n_started_ = 0;  // their threads never end
};

Workers& workers();

}  // namespace rafter::simt
