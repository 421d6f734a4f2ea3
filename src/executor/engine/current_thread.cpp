#include "executor/engine/current_thread.hpp"

namespace rafter::simt {
namespace {

std::string coordinates_text(uint3 at) {
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + ")";
}

uint3 thread_index(unsigned linear) {
  const unsigned row = linear / blockDim.x;
  return {linear % blockDim.x, row % blockDim.y, row / blockDim.y};
}

}  // namespace

constinit thread_local CurrentThread current_thread;

std::string current_kernel() { return current_thread.kernel; }

Side current_side(const char* action, const void* place) {
  const uint3 first = *current_thread.block;
  Side side{action, place, 0, first, thread_index(rafter_simt_now.linear)};
  if (rafter_simt_now.loop >= 2) side.thread.reset();
  if (rafter_simt_now.loop == 3 && current_thread.n_row_blocks > 1) {
    side.block.reset();
    side.actor = "a thread of blocks " + coordinates_text(first) + " to " +
                 coordinates_text({first.x + current_thread.n_row_blocks - 1, first.y, first.z});
  }
  return side;
}

Side side_of_thread(const char* action, uint3 thread, const void* place) {
  return {action, place, 0, *current_thread.block, thread};
}

}  // namespace rafter::simt
