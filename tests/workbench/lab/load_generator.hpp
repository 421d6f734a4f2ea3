#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace rafter::lab {

/// Threads that keep the cores busy.
class LoadGenerator {
 public:
  explicit LoadGenerator(int n_threads) {
    for (int i = 0; i < n_threads; ++i) {
      threads_.emplace_back([this] {
        while (!is_over_.load(std::memory_order_relaxed)) {
        }
      });
    }
  }
  ~LoadGenerator() {
    is_over_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> is_over_{false};
  std::vector<std::thread> threads_;
};

}  // namespace rafter::lab
