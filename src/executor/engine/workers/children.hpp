// Launches that a grid's own threads make. CUDA lets them run any time before the grid counts as ended; here they run
// when its threads have, those of a block in the order it made them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "rafter_simt/abi.hpp"

namespace rafter::simt {

struct Child {
  rafter_simt::Launch launch;
  std::shared_ptr<void> closure;  // the launch's
  std::int64_t block;             // that made it
  bool is_tail;                   // after all others, and what those have launched
};

class Children {
 public:
  void add(Child child) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(child));
  }
  /// In the order in which they run, whatever order the blocks ran in.
  std::vector<Child> take() {
    std::stable_sort(all_.begin(), all_.end(), [](const Child& a, const Child& b) {
      return std::tie(a.is_tail, a.block) < std::tie(b.is_tail, b.block);
    });
    return std::exchange(all_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Child> all_;
};

}  // namespace rafter::simt
