// One exercise and one learner's file, from reading it to its place on the ladder.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"
#include "workbench/trial/source.hpp"

namespace rafter::trial {

struct AttemptOptions {
  std::string kernel{};  ///< its name in the file; empty: the exercise's
  std::string block{};   ///< threads: X[,Y[,Z]]; empty: as the exercise has it
  double time_limit_s = 10;
  std::function<void(const std::string&)> say{};  ///< is given what a learner should read, as it comes
};

enum class Verdict { right, wrong, could_not_run };

/// Holds the kernel against the exercise: reads it, runs it under all checkers, counts what it does to memory, and
/// times it where there is a GPU. `result` becomes what was found, for programs.
Verdict attempt(const LearnerSource& source, const lab::Exercise& exercise,
                const std::vector<const lab::Workload*>& workloads, const AttemptOptions& options,
                nlohmann::json& result);

}  // namespace rafter::trial
