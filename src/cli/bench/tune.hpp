// rafter tune: the best of a space of macros, for a kernel of anybody's.
#pragma once

#include "cli/tool.hpp"

namespace rafter::cli {

int tune(const TuneOptions& options);

}  // namespace rafter::cli
