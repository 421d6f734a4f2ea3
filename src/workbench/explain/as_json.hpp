// Facts and diagnoses as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "workbench/explain/diagnose.hpp"
#include "workbench/explain/screen.hpp"

namespace rafter::explain {

nlohmann::json to_json(const Facts& facts, const Diagnosis& diagnosis);
nlohmann::json to_json(const ProgramFacts& facts, const ProgramDiagnosis& diagnosis);
nlohmann::json to_json(const Sources& sources);

}  // namespace rafter::explain
