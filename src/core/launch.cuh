// The one way a kernel is launched.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>

#include "core/arithmetic.hpp"
#include "core/cuda_check.hpp"
#include "rafter/error.hpp"
#include "rafter/stream.hpp"

// The namespace of this build's kernels: the same source is built for a GPU and for the executor.
#ifndef RAFTER_BACKEND
#define RAFTER_BACKEND cuda
#endif

namespace rafter::core {

/// The blocks of a launch; a count of blocks may be given as it is. Throws when a grid cannot have that many.
struct Grid {
  dim3 blocks;
  Grid(dim3 grid) : blocks(grid) {}
  Grid(std::int64_t n_blocks) : blocks(static_cast<unsigned>(n_blocks)) {
    if (n_blocks < 0 || n_blocks > 0x7fffffff) {
      throw Error(ErrorCode::unsupported,
                  "this kernel would need " + std::to_string(n_blocks) + " blocks; a grid has at most 2147483647");
    }
  }
};

/// Enqueues `kernel(args...)` on `stream`; throws Error with the kernel's name when the launch is refused.
/// A grid without blocks is nothing to do.
template <class... Params>
void launch(void (*kernel)(Params...), Grid grid, dim3 block, std::int64_t shared_bytes, const Stream& stream,
            std::type_identity_t<Params>... args) {
  if (grid.blocks.x == 0 || grid.blocks.y == 0 || grid.blocks.z == 0) return;
  kernel<<<grid.blocks, block, static_cast<std::size_t>(shared_bytes), stream.handle()>>>(args...);
  check_launch(reinterpret_cast<const void*>(kernel), std::source_location::current());
}

}  // namespace rafter::core
