// A journal as text for a terminal, as Markdown, and its steps as CSV and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "workbench/journal/log.hpp"

namespace rafter::journal {

/// Returns the table of steps, followed by the open target or the ending.
std::string overview_text(const Journal& journal, const Steps& steps);

/// Returns all details of a step, including its change of the source.
std::string step_text(const Journal& journal, const Step& step);

/// Returns the message for an added step: its number, its gain, and the open questions.
std::string added_text(const Journal& journal, const Steps& steps, const Step& step);

std::string steps_csv(const Steps& steps);
nlohmann::json steps_json(const Journal& journal, const Steps& steps);

/// Returns the journal as a work log in Markdown.
std::string markdown(const Journal& journal, const Steps& steps);

}  // namespace rafter::journal
