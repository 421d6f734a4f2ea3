// What a GPU can do, for estimates where none is at hand.
#pragma once

#include <string>
#include <vector>

namespace rafter::explain {

struct Gpu {
  std::string name;
  int capability;  ///< 90 is 9.0
  int n_sms;
  double clock_ghz;
  double dram_bytes_per_ns;  ///< that kernels reach, not the data sheet's
  double l2_bytes_per_ns;
  double l2_bytes;
  double l1_bytes;  ///< of a multiprocessor, shared memory among them
  int registers_per_sm, threads_per_sm, blocks_per_sm;
  int shared_bytes_per_sm, shared_bytes_per_block, reserved_shared_bytes;
  double launch_ns;                                   ///< from one launch to the next of a stream, kernels empty
  double atomic_ns;                                   ///< between two updates of one address
  double block_ns;                                    ///< between the starts of two blocks, on whatever multiprocessor
  double pinned_bytes_per_ns, pageable_bytes_per_ns;  ///< between host and device
  double copy_ns;                                     ///< of a copy of no bytes

  double ns(double cycles) const { return cycles / clock_ghz; }
};

/// Those that are known, the one that estimates are for unless another is asked for first.
const std::vector<Gpu>& gpus();
/// Throws Error (bad_argument) with the names there are.
const Gpu& gpu_called(const std::string& name);

}  // namespace rafter::explain
