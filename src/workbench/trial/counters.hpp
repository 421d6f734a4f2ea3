// The memory accesses of a kernel, in numbers that can be compared with those of the ladder's rungs.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"
#include "workbench/trial/message.hpp"

namespace rafter::trial {

struct Counter {
  std::string name;
  double value = 0;
  double weight = 1;  ///< significance for the algorithm
};

/// Computes the counters from an executor's report in mode count, relative to the least cost of the case.
std::vector<Counter> counters_of(const nlohmann::json& report, const lab::Cost& cost);

/// The rung with the nearest counters, and the one after it on the ladder.
struct Resemblance {
  const lab::Rung* nearest = nullptr;  ///< null: it resembles no rung
  const lab::Rung* next = nullptr;     ///< the rung after the nearest, or null; the first if it resembles none
  std::vector<Counter> own, of_nearest, of_next;
};

/// Runs the ladder on the same case with counters enabled; returns nullopt if the exercise has no ladder.
std::optional<Resemblance> resemble(const lab::Exercise& exercise, const lab::Workload& workload,
                                    const nlohmann::json& report);

/// Returns a message for a kernel that loads more from global memory than the case allows, with the line that loads
/// most.
std::optional<TryMessage> too_many_loads(const lab::ExerciseCase& one, const nlohmann::json& report);

/// Returns a message for a kernel with more atomics on global memory than the case allows.
std::optional<TryMessage> too_many_atomics(const lab::ExerciseCase& one, const nlohmann::json& report);

std::string text(const Resemblance& resemblance);
nlohmann::json to_json(const Resemblance& resemblance);

}  // namespace rafter::trial
