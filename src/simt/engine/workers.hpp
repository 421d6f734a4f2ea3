// The OS threads that run blocks. A host thread that launches waits until they are through.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "simt/engine/grid.hpp"

namespace rafter::simt {

class Workers {
 public:
  ~Workers();

  /// Runs `grid` on `n` workers; one launch at a time.
  void run(Grid& grid, int n);

 private:
  void work(int number);

  std::mutex one_launch_;
  std::mutex mutex_;
  std::condition_variable begin_, done_;
  std::vector<std::thread> threads_;
  Grid* grid_ = nullptr;
  std::atomic<std::uint64_t> generation_ = 0;  // of launches
  int wanted_ = 0;                             // workers that take part
  std::atomic<int> running_ = 0;               // of them, still at it
  bool stopping_ = false;
};

Workers& workers();

}  // namespace rafter::simt
