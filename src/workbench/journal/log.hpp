// A journal as a work log: the contents of all its forms, on a terminal, in Markdown and on a page.
#pragma once

#include <string>
#include <vector>

#include "workbench/journal/steps.hpp"

namespace rafter::journal {

/// A row of the table of steps. Missing numbers are empty.
struct Row {
  std::string step{}, time{}, over_last{}, predicted{}, over_best{}, in_all{}, floor{}, what{};
  bool is_wrong = false;
};
Row row_of(const Steps& steps, const Step& step);

/// Returns the answers on a step: the user's, those of later notes, and otherwise what the tool knows.
Answers answers_of(const Journal& journal, const Step& step);

/// Returns the questions that neither the user nor the tool has answered.
std::vector<const Question*> open_questions(const Answers& answers);

inline constexpr const char* busy_words = "The machine was too busy for reliable times.";

/// Returns the predicted and the measured value: "predicted 1.30x, measured 1.12x".
std::string prediction_text(const Step& step);

/// Returns the times of a case: "horner 515 ms, textbook 682 ms; peer eigen 1.20 s".
std::string times_text(const TimedCase& one);

/// Returns the notes about this entry, the oldest first.
std::vector<const Entry*> notes_about(const Journal& journal, int number);

/// Returns the reason given at the stop and remaining_potential(); empty while the journal is active.
std::vector<std::string> ending_of(const Journal& journal, const Steps& steps);

}  // namespace rafter::journal
