// wgmma: products of matrices that a warpgroup starts, and waits for. Results are held back until then: accumulators
// hold NaN meanwhile, and whoever touches them is seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "executor/engine/async/async.hpp"
#include "rafter_simt/matrix.hpp"

namespace rafter::simt {

/// Where an element of a described matrix lies: index `mn` of its rows (of a) or columns (of b), and k.
const std::byte* element_address(const rafter_simt::MatrixDescriptor& matrix, int major, int element_bytes, int mn,
                                 int k);

/// Accumulators that products of one group will fill.
struct Results {
  float* d;
  std::vector<float> values;
};

/// What one thread has under way.
struct WgmmaThread {
  struct Group {
    std::vector<Results> results;
    Flight reads;  // of shared memory; only the first lane of a warp has them
  };

  Group open;
  std::deque<Group> closed;
  bool is_fenced = false;
  std::vector<Results> left;  // accumulators as they were when they were last waited for

  /// The latest that is to come for these accumulators; nullptr when nothing is.
  const Results* pending(const float* d) const;
  bool holds(const void* address) const;
};

/// All of a block.
class Wgmmas {
 public:
  void clear() { threads_.clear(); }
  bool is_used() const { return !threads_.empty(); }
  WgmmaThread& mine();
  /// Whether an address of the running thread's local memory is an accumulator that is not there yet.
  bool are_coming(const void* address);

 private:
  std::unordered_map<unsigned, WgmmaThread> threads_;
};

}  // namespace rafter::simt
