// Facts from the report of a counted run on the executor.
#pragma once

#include <nlohmann/json.hpp>

#include "workbench/explain/facts.hpp"

namespace rafter::explain {

/// Reads the counts of an average launch, extrapolated if only some of its blocks ran.
ProgramFacts facts_of(const nlohmann::json& report);

}  // namespace rafter::explain
