#include "workbench/journal/show.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/csv.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "workbench/journal/diff.hpp"

namespace rafter::journal {

namespace {

using nlohmann::json;

std::size_t n_columns_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// At most so many columns, with dots where something is left out.
std::string cut(const std::string& text, std::size_t width) {
  if (n_columns_of(text) <= width) return text;
  std::size_t n = 0, end = 0;
  while (end < text.size() && (n < width - 3 || (text[end] & 0xc0) == 0x80)) n += (text[end++] & 0xc0) != 0x80;
  return text.substr(0, end) + "...";
}

std::string table_text(const Steps& steps) {
  const bool has_predictions =
      std::any_of(steps.all.begin(), steps.all.end(), [](const Step& step) { return step.predicted.has_value(); });
  const auto line = [&](const Row& row) {
    const std::string numbers =
        fmt::format("{:>6} {:>9} {:>8}{} {:>8} {:>8} {:>6}  ", row.step, row.time, row.over_last,
                    has_predictions ? fmt::format(" {:>9}", row.predicted) : "", row.over_best, row.in_all, row.floor);
    return numbers + cut(row.what, static_cast<std::size_t>(base::output_columns()) - numbers.size()) + "\n";
  };
  std::string text = line({.step = "step",
                           .time = "time",
                           .over_last = "x last",
                           .predicted = "predicted",
                           .over_best = "x best",
                           .in_all = "in all",
                           .floor = "floor",
                           .what = "what"});
  for (const Step& step : steps.all) text += line(row_of(steps, step));
  return text;
}

std::string sentence(const std::string& first, const std::string& words) {
  return words.empty() ? "" : base::wrapped(words, first, std::string(first.size(), ' '));
}

std::string told_text(const Journal& journal, const Step& step) {
  std::string text;
  for (const TimedCase& one : step.cases) text += sentence("  " + one.name + ": ", times_text(one));
  if (step.entry->is_busy) text += sentence("  ", busy_words);
  text += sentence("  ", prediction_text(step));
  const Answers answers = answers_of(journal, step);
  for (const Question& question : questions) {
    const std::string& answer = answers.*question.answer;
    if (!answer.empty()) text += fmt::format("  {}\n{}", question.words, base::wrapped(answer, "    ", "    "));
  }
  return text;
}

}  // namespace

std::string overview_text(const Journal& journal, const Steps& steps) {
  std::string text = base::wrapped(journal.title() + (journal.is_active() ? "" : " (ended)"), "", "  ");
  if (!steps.case_name.empty())
    text += base::wrapped(fmt::format("{}; {}", steps.case_name, steps.first()->entry->machine), "  ", "  ");
  if (steps.all.empty()) {
    text += "  no steps yet: each run, try, bench, explain or tune in this folder adds one\n";
  } else {
    text += table_text(steps);
  }
  if (const std::string target = steps.target_text(); !target.empty() && journal.is_active())
    text += base::wrapped(target, "  ", "  ");
  for (const std::string& words : ending_of(journal, steps)) text += base::wrapped(words, "  ", "  ");
  return text;
}

std::string step_text(const Journal& journal, const Step& step) {
  const Entry& entry = *step.entry;
  std::string text = fmt::format("step {}   {}\n", step.number, entry.time);
  text += sentence("  ", step.message);
  text += sentence("  rafter ", entry.command);
  if (entry.verdict != Verdict::none) text += fmt::format("  {}\n", name(entry.verdict));
  text += told_text(journal, step);
  for (const Entry* note : notes_about(journal, entry.number)) {
    if (note->message != step.message) text += sentence("  note: ", note->message);
  }
  for (const KeptSource& source : entry.sources) {
    if (!source.why_not.empty()) text += fmt::format("  {} was not kept: {}\n", source.name, source.why_not);
  }
  return entry.change.empty() ? text : text + "\n" + entry.change;
}

std::string added_text(const Journal& journal, const Steps& steps, const Step& step) {
  const Entry& entry = *step.entry;
  std::string text = fmt::format("step {}", step.number);
  if (step.is_timed()) {
    text += fmt::format(", {} {}", step.rung.name, base::show_time(step.rung.ns));
    if (step.over_last)
      text += fmt::format(": {} over the last, {} in all", base::show_ratio(*step.over_last),
                          base::show_ratio(*step.over_first));
    if (step.predicted) text += " (" + prediction_text(step) + ")";
    if (steps.is_on_track(step) && steps.target) text += "; " + steps.target_text();
  } else if (entry.verdict != Verdict::none) {
    text += fmt::format(", {}", name(entry.verdict));
  }
  const ChangedLines changed = changed_lines(entry.change);
  if (!entry.change.empty()) text += fmt::format("; source +{} -{} lines", changed.n_added, changed.n_removed);
  text = sentence("Journal: ", text);
  std::string open = step.message.empty() ? " -m" : "";
  for (const Question* question : open_questions(answers_of(journal, step)))
    open += std::string(" ") + question->option;
  if (open.empty()) return text;
  return text + sentence("         ", fmt::format("not said yet: rafter journal note {}{}", step.number, open));
}

std::string steps_csv(const Steps& steps) {
  std::string text = base::csv_line({"step", "time", "command", "verdict", "machine", "case", "rung", "median_ns",
                                     "x_last", "x_best", "x_first", "floor_ns", "floor_limit", "predicted", "message"});
  const auto number = [](double value) { return value > 0 ? fmt::format("{}", value) : ""; };
  for (const Step& step : steps.all) {
    const Entry& entry = *step.entry;
    text += base::csv_line({std::to_string(step.number), entry.time, entry.command, name(entry.verdict), entry.machine,
                            step.case_name, step.rung.name, number(step.rung.ns), number(step.over_last.value_or(0)),
                            number(step.over_best.value_or(0)), number(step.over_first.value_or(0)),
                            number(step.floor_ns), step.floor_limit, entry.prediction, step.message});
  }
  return text;
}

json steps_json(const Journal& journal, const Steps& steps) {
  json all = json::array();
  for (const Step& step : steps.all) {
    json one = to_json(*step.entry);
    one["number"] = step.number;
    if (step.is_timed()) {
      one["step"] = {{"case", step.case_name}, {"rung", step.rung.name}, {"median_ns", step.rung.ns}};
      if (step.over_last)
        one["step"].update({{"x_last", *step.over_last}, {"x_best", *step.over_best}, {"x_first", *step.over_first}});
    }
    all.push_back(std::move(one));
  }
  return {{"title", journal.title()},
          {"folder", journal.folder().string()},
          {"active", journal.is_active()},
          {"target", journal.target()},
          {"steps", all},
          {"ending", ending_of(journal, steps)}};
}

}  // namespace rafter::journal
