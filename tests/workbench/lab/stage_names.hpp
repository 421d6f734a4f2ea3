// The names of stages, for tests.
#pragma once

#include <string>
#include <vector>

#include "workbench/lab/machine/stage_recorder.hpp"

namespace rafter::lab {

using StageNames = std::vector<std::string>;

inline StageNames stage_names(const std::vector<StageTime>& times) {
  StageNames names;
  for (const StageTime& time : times) names.push_back(time.name);
  return names;
}

}  // namespace rafter::lab
