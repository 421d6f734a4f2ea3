// A learner's kernel on a GPU: compiled for it, verified and timed in processes of their own.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/try_message.hpp"
#include "cli/try_source.hpp"
#include "lab/exercise.hpp"

namespace rafter::cli {

struct GpuRequest {
  const LearnerSource& source;
  const lab::Exercise& exercise;
  std::string kernel;              ///< its name in the source
  std::vector<std::string> types;  ///< its parameters' as the compiler sees them
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

}  // namespace rafter::cli
