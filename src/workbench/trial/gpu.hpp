// A learner's kernel on a GPU: compiled for it, verified and timed in processes of their own.
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
  std::string kernel;              ///< its name in the source
  std::vector<std::string> types;  ///< its parameters' as the compiler sees them
  ArgumentOrder order;             ///< which of the exercise's they are
  lab::Extents block;
  std::filesystem::path scratch;
  double time_limit_s = 10;
};

struct GpuOutcome {
  std::optional<TryMessage> wrong{};   ///< a wrong answer, a hang, an error of the device
  std::optional<TryMessage> failed{};  ///< it could not be compiled or run
  std::string text{};                  ///< what else there is to say: cases, table, place on the ladder
  nlohmann::json json{};
};

/// Nothing when kernels can be tried on a GPU here; otherwise why not.
std::optional<std::string> why_no_gpu();

GpuOutcome try_on_gpu(const GpuRequest& request);

/// What try_on_gpu starts this program again for: verifies or times the kernel of the job that the file describes, and
/// leaves the result in the file that the job names. False where that failed.
bool run_gpu_job(const std::filesystem::path& job, const std::vector<const lab::Workload*>& workloads);

}  // namespace rafter::trial
