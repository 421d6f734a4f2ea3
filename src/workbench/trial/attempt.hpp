// Checks one user file against one exercise, from reading the file to its place on the ladder.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "executor/build/untrusted.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"
#include "workbench/trial/source.hpp"

namespace rafter::trial {

struct AttemptOptions {
  std::string kernel{};  ///< name in the file; empty: the exercise's
  std::string block{};   ///< threads per block, X[,Y[,Z]]; empty: the exercise's
  double time_limit_s = 10;
  std::uint64_t seed = 0;                                 ///< of all inputs
  const simt::build::UntrustedWork* untrusted = nullptr;  ///< sandboxes for the file; null: it is trusted
  std::function<void(const std::string&)> say{};          ///< receives the text for the user as it is produced
};

enum class Verdict { right, wrong, could_not_run };

/// Checks the kernel against the exercise: reads it, runs it under all checkers, counts its memory accesses, and times
/// it if there is a GPU. `result` receives the findings as JSON.
Verdict attempt(const LearnerSource& source, const lab::Exercise& exercise,
                const std::vector<const lab::Workload*>& workloads, const AttemptOptions& options,
                nlohmann::json& result);

}  // namespace rafter::trial
