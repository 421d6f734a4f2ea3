// rafter forces.
#pragma once

#include "cli/tool.hpp"

namespace rafter::cli {

int forces(const ForcesOptions& options);

}  // namespace rafter::cli
