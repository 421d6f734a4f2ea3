// rafter explain: what limits a kernel, and what to try next.
#pragma once

#include "cli/tool.hpp"

namespace rafter::cli {

/// Of a CUDA program, or of one kernel of a file.
int explain(const ExplainOptions& options);

}  // namespace rafter::cli
