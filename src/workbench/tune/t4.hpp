// The trials as a results file of the T4 schema, version 1.0.0, which Kernel Tuner and KTT write, too.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "workbench/tune/space.hpp"
#include "workbench/tune/worth.hpp"

namespace rafter::tune {

/// The quantity that the search minimises.
enum class Objective { time, energy };

/// Returns the document. Times are in milliseconds. Without measured times the objective is "estimated_time", and the
/// list of run times is empty.
nlohmann::json t4_of(const Space& space, const std::vector<Trial>& trials, Objective objective);

}  // namespace rafter::tune
