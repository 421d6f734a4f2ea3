// What a kernel does to memory, in numbers that can be compared with the ladder's rungs.
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
  double weight = 1;  ///< how much it says about the algorithm
};

/// From an executor's report in mode count, held against the least that the case needs.
std::vector<Counter> counters_of(const nlohmann::json& report, const lab::Cost& cost);

/// The rung whose counters are nearest, and the one after it on the ladder.
struct Resemblance {
  const lab::Rung* nearest = nullptr;  ///< none: it is like no rung
  const lab::Rung* next = nullptr;     ///< the rung after the nearest, if there is one; the first where it is like none
  std::vector<Counter> own, of_nearest, of_next;
};

/// Runs the ladder on the same case with counters on; nothing where the exercise has none.
std::optional<Resemblance> resemble(const lab::Exercise& exercise, const lab::Workload& workload,
                                    const nlohmann::json& report);

/// What to say of a kernel that loads more from global memory than the case allows, with the line that loads the most.
std::optional<TryMessage> too_many_loads(const lab::ExerciseCase& one, const nlohmann::json& report);

/// The same for atomics on global memory.
std::optional<TryMessage> too_many_atomics(const lab::ExerciseCase& one, const nlohmann::json& report);

std::string text(const Resemblance& resemblance);
nlohmann::json to_json(const Resemblance& resemblance);

}  // namespace rafter::trial
