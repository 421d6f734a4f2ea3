// Host code of a user's file that works against the check. See docs/architecture.md, "User kernels".
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "workbench/lab/workload/exercise.hpp"
#include "workbench/trial/judged_run.hpp"
#include "workbench/trial/message.hpp"

namespace rafter::trial {

/// Returns a message if the built program has code that runs before the executor takes its key, or functions that
/// replace those of the executor and of the libraries it uses. To be called before the program is started.
std::optional<TryMessage> early_code(const std::filesystem::path& program);

/// Returns a message if the results are not the executor's, if the program ended before they were complete, or if the
/// kernel was not launched. `kernel` is empty for a host function, which may launch any kernel, and need not launch one
/// for a single element.
std::optional<TryMessage> message_of_host_code(const CaseRun& ran, const std::string& kernel,
                                               const lab::ExerciseCase& one);

}  // namespace rafter::trial
