// The CUDA thread that runs on the calling OS thread: how findings describe it, and where its shared memory is.
//
// The worker keeps `current_thread` up to date. Warps, blocks and copies read it, so that they do not depend on the
// worker that runs them.
#pragma once

#include <string>
#include <vector>

#include "executor/engine/shared_memory.hpp"
#include "executor/process/finding.hpp"
#include "rafter_simt/abi.hpp"

namespace rafter::simt {

struct CurrentThread {
  const char* kernel = "";       // empty outside of a launch
  const uint3* block = nullptr;  // the running block's index
  unsigned n_row_blocks = 1;     // blocks that one loop runs: adjacent in x, starting with `block`
  const std::vector<SharedRange>* in_place = nullptr;  // static shared memory of the OS thread
  const std::vector<SharedRange>* homes = nullptr;  // of the running block, see home_address(); null without clusters
};
extern constinit thread_local CurrentThread current_thread;

/// Returns the name of the running kernel; empty outside of a launch.
std::string current_kernel();

/// Returns the running thread as a side of a finding. A loop over threads or blocks does not know which of them runs;
/// then the side names the block, or the range of blocks.
Side current_side(const char* action, const void* place);

/// Returns a thread of the running block as a side of a finding.
Side side_of_thread(const char* action, uint3 thread, const void* place);

/// Returns the home address of `address`. In a cluster, a block's static shared memory has an address of its own, its
/// home, through which other blocks access it. While the block runs, its bytes are in place instead: in the OS thread's
/// variables. Addresses outside of static shared memory are returned unchanged.
inline std::byte* home_address(void* address) {
  auto* at = static_cast<std::byte*>(address);
  return current_thread.homes ? moved(at, *current_thread.in_place, *current_thread.homes).value_or(at) : at;
}

/// Returns the in-place address of a home address of the running block; other addresses unchanged.
inline std::byte* in_place_address(void* address) {
  auto* at = static_cast<std::byte*>(address);
  return current_thread.homes ? moved(at, *current_thread.homes, *current_thread.in_place).value_or(at) : at;
}

}  // namespace rafter::simt
