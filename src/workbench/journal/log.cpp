#include "workbench/journal/log.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"

namespace rafter::journal {

namespace {

std::string ratio_text(const std::optional<double>& ratio) { return ratio ? base::show_ratio(*ratio) : ""; }

void append(std::string& text, const std::string& more) { text += (text.empty() || more.empty() ? "" : " ") + more; }

/// Lists the rungs that failed, with the reasons.
std::string wrong_text(const Step& step) {
  std::string text;
  for (const TimedCase& one : step.cases) {
    for (const TimedRung& rung : one.rungs) {
      const bool is_wrong = is_rejection(rung.status);
      if (is_wrong)
        text += fmt::format("{}{} is {}: {}", text.empty() ? "" : "; ", rung.name, rung.status, rung.detail);
    }
  }
  return text;
}

/// Returns the measurements other than the step's own rung.
std::string others_text(const Step& step) {
  for (TimedCase one : step.cases) {
    if (one.name != step.case_name) continue;
    std::erase_if(one.rungs, [&](const TimedRung& rung) { return rung.name == step.rung.name; });
    return one.rungs.empty() ? "" : fmt::format("Other than {}: {}.", step.rung.name, times_text(one));
  }
  return "";
}

}  // namespace

Row row_of(const Steps& steps, const Step& step) {
  const Entry& entry = *step.entry;
  Row row{.step = std::to_string(step.number),
          .over_last = ratio_text(step.over_last),
          .predicted = step.predicted ? step.predicted->text() : "",
          .over_best = ratio_text(step.over_best),
          .in_all = ratio_text(step.over_first),
          .what = step.title(),
          .is_wrong = entry.verdict == Verdict::wrong};
  if (step.is_timed()) {
    row.time = step.rung.time();
    if (!step.over_first) row.in_all = base::show_ratio(1);
    if (step.floor_ns > 0) row.floor = fmt::format("{:.0f}%", 100 * step.share_of_floor());
  }
  if (row.is_wrong) {
    row.what = "WRONG: " + row.what;
  } else if (entry.verdict == Verdict::could_not_run) {
    row.what = "could not run: " + row.what;
  } else if (!step.is_timed() && entry.verdict == Verdict::right) {
    row.what = "correct, not timed: " + row.what;
  }
  if (step.is_timed() && !steps.is_on_track(step)) row.what += fmt::format(" [{}]", step.case_name);
  return row;
}

std::vector<const Entry*> notes_about(const Journal& journal, int number) {
  std::vector<const Entry*> notes;
  for (const Entry& entry : journal.entries()) {
    if (entry.kind == Kind::note && entry.about == number) notes.push_back(&entry);
  }
  return notes;
}

Answers answers_of(const Journal& journal, const Step& step) {
  Answers answers = step.entry->answers;
  for (const Entry* note : notes_about(journal, step.entry->number)) {
    for (const Question& question : questions) append(answers.*question.answer, note->answers.*question.answer);
  }
  if (answers.structure.empty() && !step.rung.idea.empty())
    answers.structure = fmt::format("{}: {}", step.rung.name, step.rung.idea);
  if (answers.limit.empty()) answers.limit = step.entry->said;
  if (answers.limit.empty()) answers.limit = wrong_text(step);
  if (answers.limit.empty() && step.floor_ns > 0 && step.is_timed()) {
    answers.limit = fmt::format("The floor is {}, which {} sets; this is {:.0f} % of it.",
                                base::show_time(step.floor_ns), step.floor_limit, 100 * step.share_of_floor());
  }
  if (answers.measured.empty()) answers.measured = others_text(step);
  if (answers.measured.empty() && !step.rung.stages.empty()) {
    for (const StageShare& stage : step.rung.stages)
      append(answers.measured, fmt::format("{} {:.0f} %{}", stage.name, 100 * stage.share,
                                           &stage == &step.rung.stages.back() ? " of the time." : ","));
  }
  return answers;
}

std::vector<const Question*> open_questions(const Answers& answers) {
  std::vector<const Question*> open;
  for (const Question& question : questions) {
    if ((answers.*question.answer).empty()) open.push_back(&question);
  }
  return open;
}

std::string prediction_text(const Step& step) {
  if (!step.predicted) return "";
  const std::string predicted = fmt::format("predicted {}", step.predicted->text());
  if (!step.is_timed()) return predicted;
  const char* found = step.rung.is_estimate() ? "estimated" : "measured";
  if (!step.predicted->is_factor()) return fmt::format("{}, {} {}", predicted, found, step.rung.time());
  return step.over_last ? fmt::format("{}, {} {}", predicted, found, base::show_ratio(*step.over_last)) : predicted;
}

std::string times_text(const TimedCase& one) {
  std::vector<const TimedRung*> rungs;
  for (const TimedRung& rung : one.rungs) rungs.push_back(&rung);
  std::stable_sort(rungs.begin(), rungs.end(), [](const TimedRung* a, const TimedRung* b) {
    return (a->ns > 0) != (b->ns > 0) ? a->ns > 0 : a->ns < b->ns;
  });
  std::string text;
  for (const TimedRung* rung : rungs) {
    text += fmt::format("{}{}{} {}", text.empty() ? "" : ", ", rung->is_peer ? "peer " : "", rung->name,
                        rung->ns > 0 ? rung->time() : rung->status);
  }
  return text;
}

std::vector<std::string> ending_of(const Journal& journal, const Steps& steps) {
  if (journal.is_active()) return {};
  std::vector<std::string> sentences;
  const auto stop = std::find_if(journal.entries().rbegin(), journal.entries().rend(),
                                 [](const Entry& entry) { return entry.kind == Kind::stop; });
  if (stop != journal.entries().rend() && !stop->message.empty()) sentences.push_back(stop->message);
  for (std::string& sentence : remaining_potential(steps)) sentences.push_back(std::move(sentence));
  return sentences;
}

}  // namespace rafter::journal
