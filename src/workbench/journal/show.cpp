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

/// Shows control characters as \x1b, so that a message cannot drive the terminal. Keeps line breaks and tabs.
std::string visible(const std::string& text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool is_c1 = c == 0xc2 && next >= 0x80 && next < 0xa0;  // U+0080 to U+009F in UTF-8
    if (is_c1) {
      shown += fmt::format("\\x{:02x}", next);
      ++i;
    } else if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) {
      shown += fmt::format("\\x{:02x}", c);
    } else {
      shown += text[i];
    }
  }
  return shown;
}

/// Truncates the text to `width` columns with an ellipsis.
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
    const std::string what = visible(row.what);
    const std::string numbers =
        fmt::format("{:>6} {:>9} {:>8}{} {:>8} {:>8} {:>6}  ", row.step, row.time, row.over_last,
                    has_predictions ? fmt::format(" {:>9}", row.predicted) : "", row.over_best, row.in_all, row.floor);
    return numbers + cut(what, static_cast<std::size_t>(base::output_columns()) - numbers.size()) + "\n";
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

std::string details_text(const Journal& journal, const Step& step) {
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
    if (const std::string words = steps.estimate_words(); !words.empty()) text += base::wrapped(words, "  ", "  ");
  }
  if (const std::string target = steps.target_text(); !target.empty() && journal.is_active())
    text += base::wrapped(target, "  ", "  ");
  for (const std::string& words : ending_of(journal, steps)) text += base::wrapped(words, "  ", "  ");
  return visible(text);
}

std::string step_text(const Journal& journal, const Step& step) {
  const Entry& entry = *step.entry;
  std::string text = fmt::format("step {}   {}\n", step.number, entry.time);
  text += sentence("  ", step.message);
  text += sentence("  rafter ", entry.command);
  if (entry.verdict != Verdict::none) text += fmt::format("  {}\n", name(entry.verdict));
  text += details_text(journal, step);
  for (const Entry* note : notes_about(journal, entry.number)) {
    if (note->message != step.message) text += sentence("  note: ", note->message);
  }
  for (const KeptSource& source : entry.sources) {
    if (!source.why_not.empty()) text += fmt::format("  {} was not kept: {}\n", source.name, source.why_not);
  }
  return visible(entry.change.empty() ? text : text + "\n" + entry.change);
}

std::string added_text(const Journal& journal, const Steps& steps, const Step& step) {
  const Entry& entry = *step.entry;
  std::string text = fmt::format("step {}", step.number);
  if (step.is_timed()) {
    if (step.rung.is_estimate() && entry.verdict != Verdict::none) text += fmt::format(", {}", name(entry.verdict));
    text += fmt::format(", {} {}", step.rung.name, step.rung.time());
    if (step.over_last)
      text += fmt::format(": {} over the previous step, {} in all", base::show_ratio(*step.over_last),
                          base::show_ratio(*step.over_first));
    if (step.predicted) text += " (" + prediction_text(step) + ")";
    if (steps.is_on_track(step) && steps.target) text += "; " + steps.target_text();
  } else if (entry.verdict != Verdict::none) {
    text += fmt::format(", {}", name(entry.verdict));
  }
  const ChangedLines changed = changed_lines(entry.change);
  if (!entry.change.empty()) text += fmt::format("; source +{} -{} lines", changed.n_added, changed.n_removed);
  text = visible(sentence("Journal: ", text));
  std::string open = step.message.empty() ? " -m" : "";
  for (const Question* question : open_questions(answers_of(journal, step)))
    open += std::string(" ") + question->option;
  if (open.empty()) return text;
  return text + sentence("         ", fmt::format("open questions: rafter journal note {}{}", step.number, open));
}

std::string steps_csv(const Steps& steps) {
  std::string text =
      base::csv_line({"step", "time", "command", "verdict", "machine", "case", "rung", "median_ns", "x_last", "x_best",
                      "x_first", "floor_ns", "floor_limit", "predicted", "message", "estimate_ns"});
  const auto number = [](double value) { return value > 0 ? fmt::format("{}", value) : ""; };
  for (const Step& step : steps.all) {
    const Entry& entry = *step.entry;
    const bool is_estimate = step.rung.is_estimate();
    text += base::csv_line({std::to_string(step.number), entry.time, entry.command, name(entry.verdict), entry.machine,
                            step.case_name, step.rung.name, number(is_estimate ? 0 : step.rung.ns),
                            number(step.over_last.value_or(0)), number(step.over_best.value_or(0)),
                            number(step.over_first.value_or(0)), number(step.floor_ns), step.floor_limit,
                            entry.prediction, step.message, number(is_estimate ? step.rung.ns : 0)});
  }
  return text;
}

json steps_json(const Journal& journal, const Steps& steps) {
  json all = json::array();
  for (const Step& step : steps.all) {
    json one = to_json(*step.entry);
    one["number"] = step.number;
    if (step.is_timed()) {
      one["step"] = {{"case", step.case_name},
                     {"rung", step.rung.name},
                     {step.rung.is_estimate() ? "estimate_ns" : "median_ns", step.rung.ns}};
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

namespace {

/// Escapes markup and line breaks for a table cell.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>#|").find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

/// Returns a code fence longer than any in the text.
std::string fence_for(const std::string& text) {
  std::size_t longest = 2, n = 0;
  for (const char c : text) {
    n = c == '`' ? n + 1 : 0;
    longest = std::max(longest, n);
  }
  return std::string(longest + 1, '`');
}

std::string table(const Steps& steps) {
  std::string text =
      "| step | time | x last | predicted | x best | in all | of the floor | what |\n"
      "|---:|---:|---:|---:|---:|---:|---:|---|\n";
  for (const Step& step : steps.all) {
    const Row row = row_of(steps, step);
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", row.step, row.time, row.over_last, row.predicted,
                        row.over_best, row.in_all, row.floor, plain(row.what));
  }
  return text;
}

std::string cases(const Step& step) {
  std::string text;
  for (const TimedCase& one : step.cases) {
    text += plain(one.name);
    if (one.floor_ns > 0) text += fmt::format(", floor {} ({})", base::show_time(one.floor_ns), plain(one.floor_limit));
    text += fmt::format(":\n\n| rung | {} | 95 % | of the floor |\n|---|---:|---:|---:|\n",
                        one.is_estimate() ? "estimate" : "median");
    for (const TimedRung& rung : one.rungs) {
      const std::string name = plain((rung.is_peer ? "peer " : "") + rung.name);
      text += rung.ns > 0
                  ? fmt::format(
                        "| {} | {} | {} | {} |\n", name, rung.time(), rung.spread(),
                        one.floor_ns > 0 ? fmt::format("{:.0f}%", std::min(100., 100 * one.floor_ns / rung.ns)) : "")
                  : fmt::format("| {} | {} |  |  |\n", name, plain(rung.status + ": " + rung.detail));
    }
    text += "\n";
  }
  return text;
}

std::string change(const Entry& entry) {
  if (entry.change.empty()) return "";
  const ChangedLines n = changed_lines(entry.change);
  const std::string fence = fence_for(entry.change);
  return fmt::format(
      "<details><summary>The change of the source: {} lines added, {} "
      "removed</summary>\n\n{}diff\n{}{}\n\n</details>\n\n",
      n.n_added, n.n_removed, fence, entry.change, fence);
}

std::string section(const Journal& journal, const Step& step) {
  const Entry& entry = *step.entry;
  std::string text = fmt::format("## Step {}: {}\n\n", step.number, plain(step.title()));
  text +=
      fmt::format("{}{}{}\n\n", entry.time, entry.command.empty() ? "" : fmt::format(", `rafter {}`", entry.command),
                  entry.verdict == Verdict::none ? "" : fmt::format(": **{}**", name(entry.verdict)));
  if (const std::string prediction = prediction_text(step); !prediction.empty())
    text += fmt::format("Prediction: {}.\n\n", prediction);
  text += cases(step);
  if (entry.is_busy) text += fmt::format("{}\n\n", busy_words);
  const Answers answers = answers_of(journal, step);
  for (const Question& question : questions) {
    const std::string& answer = answers.*question.answer;
    if (!answer.empty()) text += fmt::format("**{}** {}\n\n", question.words, plain(answer));
  }
  for (const Entry* note : notes_about(journal, entry.number)) {
    if (!note->message.empty() && note->message != step.message)
      text += fmt::format("*Note of {}:* {}\n\n", note->time, plain(note->message));
  }
  return text + change(entry);
}

}  // namespace

std::string markdown(const Journal& journal, const Steps& steps) {
  std::string text = fmt::format("# {}\n\n", plain(journal.title()));
  if (!steps.case_name.empty())
    text += fmt::format("{}; {}\n\n", plain(steps.case_name), plain(steps.first()->entry->machine));
  text += table(steps) + "\n";
  if (const std::string words = steps.estimate_words(); !words.empty()) text += plain(words) + "\n\n";
  if (const std::string target = steps.target_text(); !target.empty()) text += fmt::format("**{}**\n\n", plain(target));
  for (const Step& step : steps.all) text += section(journal, step);
  for (const Entry* note : notes_about(journal, 0))
    text += fmt::format("*Note of {}:* {}\n\n", note->time, plain(note->message));
  const auto ending = ending_of(journal, steps);
  if (!ending.empty()) text += "## Why it ended\n\n";
  for (const std::string& sentence : ending) text += plain(sentence) + "\n\n";
  text.resize(text.find_last_not_of('\n') + 1);
  return visible(text) + "\n";
}

}  // namespace rafter::journal
