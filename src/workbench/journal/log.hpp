// A journal as a work log: what every form of it says, on a terminal, in Markdown and on a page.
#pragma once

#include <string>
#include <vector>

#include "workbench/journal/steps.hpp"

namespace rafter::journal {

/// A row of the table of steps. Numbers that there are none of are empty.
struct Row {
  std::string step{}, time{}, over_last{}, predicted{}, over_best{}, in_all{}, floor{}, what{};
  bool is_wrong = false;
};
Row row_of(const Steps& steps, const Step& step);

/// What is known about a step: your words, those of notes about it, and where nobody said anything what the tool knows.
Answers answers_of(const Journal& journal, const Step& step);

/// The questions that neither you nor the tool has answered.
std::vector<const Question*> open_questions(const Answers& answers);

inline constexpr const char* busy_words = "The machine was too busy to trust these times.";

/// Sentences on what was predicted and what came: "predicted 1.30x, measured 1.12x".
std::string prediction_text(const Step& step);

/// Of a case that was measured: "horner 515 ms, textbook 682 ms; peer eigen 1.20 s".
std::string times_text(const TimedCase& one);

/// Notes that say something about this entry, the oldest first.
std::vector<const Entry*> notes_about(const Journal& journal, int number);

/// How it ended: the reason that was given, then what_is_left(); empty while it goes on.
std::vector<std::string> ending_of(const Journal& journal, const Steps& steps);

}  // namespace rafter::journal
