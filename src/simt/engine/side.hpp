// The thread that runs now, as one side of a finding, and its kernel.
#pragma once

#include "simt/engine/worker.hpp"
#include "simt/process/finding.hpp"

namespace rafter::simt {

inline std::string kernel_here() { return this_worker()->grid().launch().kernel; }

inline Side side_here(const char* action, const void* place) {
  const Block& block = this_worker()->block();
  Side side{action, place, 0, block.index, block.thread_index(rafter_simt_now.linear)};
  if (rafter_simt_now.loop >= 2) side.thread.reset();  // it is one of a loop's, and nobody knows which
  if (rafter_simt_now.loop == 3) side.block.reset();   // nor of which block
  return side;
}

}  // namespace rafter::simt
