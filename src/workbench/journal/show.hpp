// A journal on a terminal, and its table of steps for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "workbench/journal/log.hpp"

namespace rafter::journal {

/// Its table of steps, then what is missing or how it ended.
std::string overview_text(const Journal& journal, const Steps& steps);

/// One step with everything, its change of the source too.
std::string step_text(const Journal& journal, const Step& step);

/// What is said when a step was added: its number, what it gained, and which questions are open.
std::string added_text(const Journal& journal, const Steps& steps, const Step& step);

std::string steps_csv(const Steps& steps);
nlohmann::json steps_json(const Journal& journal, const Steps& steps);

}  // namespace rafter::journal
