// The wgmmas of a block that are in flight. Their results are held back until the warpgroup waits for them: until then
// the accumulators hold NaN, and every access to them is reported.
#pragma once

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <vector>

#include "executor/engine/async/async_state.hpp"

namespace rafter::simt {

/// The values that a group of wgmmas will store to the accumulators at `d`.
struct WgmmaResults {
  float* d;
  std::vector<float> values;
};

/// One thread's wgmmas.
struct WgmmaThread {
  struct Group {
    std::vector<WgmmaResults> results;
    AsyncCopy reads;  // of shared memory; only the first lane of a warp records them
  };

  Group open;
  std::deque<Group> closed;
  bool is_fenced = false;
  std::vector<WgmmaResults> left;  // accumulators as the last wait left them

  /// Returns the latest results that are pending for these accumulators, or null.
  const WgmmaResults* pending(const float* d) const {
    const WgmmaResults* latest = nullptr;
    const auto look = [&](const Group& group) {
      for (const WgmmaResults& results : group.results) {
        if (results.d == d) latest = &results;
      }
    };
    for (const Group& group : closed) look(group);
    look(open);
    return latest;
  }

  /// Whether an address lies in accumulators with pending results.
  bool holds(const void* address) const {
    const auto in = [&](const Group& group) {
      return std::any_of(group.results.begin(), group.results.end(), [&](const WgmmaResults& results) {
        return address >= results.d && address < results.d + results.values.size();
      });
    };
    return in(open) || std::any_of(closed.begin(), closed.end(), in);
  }
};

/// All wgmmas of a block, by thread.
class WgmmaState {
 public:
  void clear() { threads_.clear(); }
  bool is_used() const { return !threads_.empty(); }
  /// Returns the running thread's wgmmas.
  WgmmaThread& mine() { return threads_[rafter_simt_now.linear]; }
  /// Whether an address in the running thread's local memory is an accumulator with a pending result.
  bool is_pending(const void* address) const {
    const auto found = threads_.find(rafter_simt_now.linear);
    return found != threads_.end() && found->second.holds(address);
  }

 private:
  std::unordered_map<unsigned, WgmmaThread> threads_;
};

}  // namespace rafter::simt
