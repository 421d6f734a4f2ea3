// Runs a user's kernel on a GPU: compiles it, and verifies and times it in separate processes.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"
#include "workbench/trial/message.hpp"
#include "workbench/trial/plan.hpp"
#include "workbench/trial/source.hpp"

namespace rafter::trial {

struct GpuRequest {
  const LearnerSource& source;
  const lab::Exercise& exercise;
  std::string kernel;              ///< name in the source
  std::vector<std::string> types;  ///< parameter types as the compiler sees them
  ArgumentOrder order;             ///< the exercise's parameter that each one is
  lab::CaseRequest cases;
  std::filesystem::path scratch;
  double time_limit_s = 10;
};

struct GpuOutcome {
  std::optional<TryMessage> wrong{};   ///< a wrong answer, a hang, an error of the device
  std::optional<TryMessage> failed{};  ///< compilation or launch failed
  std::string text{};                  ///< other output: cases, table, place on the ladder
  nlohmann::json json{};
};

/// Returns nullopt if kernels can run on a GPU here, otherwise the reason why not.
std::optional<std::string> why_no_gpu();

GpuOutcome try_on_gpu(const GpuRequest& request);

/// Runs in the child process that try_on_gpu starts: verifies or times the kernel of a job file, and writes the result
/// to the file that the job names. Returns false on failure.
bool run_gpu_job(const std::filesystem::path& job, const std::vector<const lab::Workload*>& workloads);

}  // namespace rafter::trial
