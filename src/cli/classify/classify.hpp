// rafter classify.
#pragma once

#include "cli/tool.hpp"

namespace rafter::cli {

int classify(const ClassifyOptions& options);

}  // namespace rafter::cli
