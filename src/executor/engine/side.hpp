// The thread that runs now, as one side of a finding, and its kernel.
#pragma once

#include <string>

#include "executor/engine/workers/worker.hpp"
#include "executor/process/finding.hpp"

namespace rafter::simt {

inline std::string kernel_here() { return this_worker()->grid().launch().kernel; }

inline std::string text_of(uint3 at) {
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + ")";
}

inline Side side_here(const char* action, const void* place) {
  const Block& block = this_worker()->block();
  Side side{action, place, 0, block.index, block.thread_index(rafter_simt_now.linear)};
  if (rafter_simt_now.loop >= 2) side.thread.reset();  // it is one of a loop's, and nobody knows which
  if (rafter_simt_now.loop == 3) {                     // nor of which block, if there are several
    const auto [first, n] = this_worker()->blocks_of_row();
    if (n > 1) {
      side.block.reset();
      side.who = "a thread of blocks " + text_of(first) + " to " + text_of({first.x + n - 1, first.y, first.z});
    }
  }
  return side;
}

}  // namespace rafter::simt
