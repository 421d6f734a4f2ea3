// rafter bench: kernels of anybody.
#pragma once

#include "cli/tool.hpp"

namespace rafter::cli {

int bench(const BenchOptions& options);

}  // namespace rafter::cli
