// rafter score.
#pragma once

#include "cli/tool.hpp"

namespace rafter::cli {

int score(const ScoreOptions& options);

}  // namespace rafter::cli
