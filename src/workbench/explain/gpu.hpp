// The properties of GPUs, for estimates without one.
#pragma once

#include <string>
#include <vector>

namespace rafter::explain {

struct Gpu {
  std::string name;
  int capability;  ///< 90 is 9.0
  int n_sms;
  double clock_ghz;
  double dram_bytes_per_ns;  ///< achievable by kernels, not the data sheet's
  double l2_bytes_per_ns;
  double l2_bytes;
  double l1_bytes;             ///< per multiprocessor, including shared memory
  int fp32_lanes, fp64_lanes;  ///< results of a multiprocessor per cycle
  int registers_per_sm, threads_per_sm, blocks_per_sm;
  int shared_bytes_per_sm, shared_bytes_per_block, reserved_shared_bytes;
  double launch_ns;                                   ///< interval between empty kernels of a stream
  double atomic_ns;                                   ///< between two updates of one address
  double block_ns;                                    ///< between the starts of two blocks on the whole GPU
  double pinned_bytes_per_ns, pageable_bytes_per_ns;  ///< between host and device
  double copy_ns;                                     ///< a copy of no bytes

  double ns(double cycles) const { return cycles / clock_ghz; }
  /// Slots of the four schedulers that a warp's instruction of the type takes.
  double fp32_slots() const { return 128.0 / fp32_lanes; }
  double fp64_slots() const { return 128.0 / fp64_lanes; }
};

/// Returns "an H200", "a T4".
std::string with_article(const Gpu& gpu);

/// Returns the known GPUs; the first one is the default for estimates.
const std::vector<Gpu>& gpus();
/// Returns the GPU of this name; throws Error (bad_argument) with the known names.
const Gpu& gpu_called(const std::string& name);

}  // namespace rafter::explain
