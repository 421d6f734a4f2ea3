// Messages to the user: one error with its place in the source, and one line of advice.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/terminal.hpp"
#include "rafter/error.hpp"
#include "workbench/trial/race_advice.hpp"

namespace rafter::trial {

struct TryMessage {
  std::string kind;          ///< a word for programs: "race", "signature", "hang"
  std::string title;         ///< one sentence
  std::string detail{};      ///< more lines: places, source lines
  std::string what_to_do{};  ///< one line
  std::string with{};        ///< the case: "size=1025, 2 blocks of 1024 threads"
};

/// Indents every nonempty line by two spaces.
std::string indented(const std::string& words);

/// Returns the message as indented text for a terminal.
std::string text(const TryMessage& message);
nlohmann::json to_json(const TryMessage& message);

/// Returns the finding to fix first, from an executor's report with resolved places, and the number of the others.
TryMessage message_of_findings(const nlohmann::json& report, const RaceContext& context = {});

/// Returns the first error that the compiler, or the executor's front end, reported for the file, with its line.
struct LearnerSource;
TryMessage message_of_build(const Error& error, const LearnerSource& source);

}  // namespace rafter::trial
