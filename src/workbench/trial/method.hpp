// Whether a kernel computes its result in the way that the exercise is about, judged by its counted accesses.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "workbench/lab/workload/exercise.hpp"
#include "workbench/trial/message.hpp"

namespace rafter::trial {

/// Returns a message for a run in mode count that breaks a rule of the case: too many loads or atomics, a single thread
/// that does all the work, no shared memory, results that pass through the host.
std::optional<TryMessage> message_of_method(const lab::ExerciseCase& one, const nlohmann::json& report);

}  // namespace rafter::trial
