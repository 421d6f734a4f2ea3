// rafter compare: before and after.
#pragma once

#include "cli/tool.hpp"

namespace rafter::cli {

int compare(const CompareOptions& options);

}  // namespace rafter::cli
