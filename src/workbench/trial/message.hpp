// What a learner is told: one message with its place in the source, and one line on what to do.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/terminal.hpp"
#include "rafter/error.hpp"

namespace rafter::trial {

struct TryMessage {
  std::string kind;          ///< a word for programs: "race", "signature", "hang"
  std::string title;         ///< one sentence
  std::string detail{};      ///< more lines: places, source lines
  std::string what_to_do{};  ///< one line
  std::string with{};        ///< the case: "size=1025, 2 blocks of 1024 threads"
};

/// Every line that is not empty behind two spaces.
std::string indented(const std::string& words);

/// Indented, for a terminal.
std::string text(const TryMessage& message);
nlohmann::json to_json(const TryMessage& message);

/// The finding a learner should look at first, of an executor's report with its places resolved; the others are
/// counted.
TryMessage message_of_findings(const nlohmann::json& report);

/// What the compiler, or the executor's own front end, said of the file: the first error in it, with its line.
struct LearnerSource;
TryMessage message_of_build(const Error& error, const LearnerSource& source);

}  // namespace rafter::trial
