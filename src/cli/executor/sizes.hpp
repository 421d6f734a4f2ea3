// Sizes by name in the description of a bare kernel, as `bench` has them: --set n=1000 --grid 'ceil(n/256)'.
#pragma once

#include "cli/options.hpp"

namespace rafter::cli {

/// The same options with numbers in place of expressions, and an argument for each parameter of the kernel that is
/// called like a size and has none. Throws Error (bad_argument, io).
ExecutorOptions with_sizes(ExecutorOptions options);

}  // namespace rafter::cli
