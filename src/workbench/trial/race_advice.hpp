// What to do about a race, depending on the source line and on the threads involved.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "workbench/lab/workload/exercise.hpp"

namespace rafter::trial {

/// The launch and the file, on which the advice depends beside the finding.
struct RaceContext {
  lab::Extents block{0};        ///< of the launch; 0: unknown
  bool may_lack_fence = false;  ///< the file has atomics and no fence
  bool has_warp_code = false;   ///< the file has code for one warp only, as in if (t < 32)
};

/// Returns one sentence, or "" if the general advice on such findings is the best.
std::string race_advice(const nlohmann::json& finding, const RaceContext& context);

}  // namespace rafter::trial
