// Facts from the report of a counted run on the executor.
#pragma once

#include <nlohmann/json.hpp>

#include "workbench/explain/facts.hpp"

namespace rafter::explain {

/// Counts are those of an average launch; where only some of its blocks ran they stand for all.
ProgramFacts facts_of(const nlohmann::json& report);

}  // namespace rafter::explain
