#include "workbench/journal/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "workbench/journal/diff.hpp"

namespace rafter::journal {

namespace {

/// A text that is no markup: of a cell, in one line.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>#|").find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

/// A fence that is longer than any in the text.
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
    text += fmt::format("{}, floor {} ({}):\n\n| rung | median | 95 % | of the floor |\n|---|---:|---:|---:|\n",
                        plain(one.name), base::show_time(one.floor_ns), plain(one.floor_limit));
    for (const TimedRung& rung : one.rungs) {
      const std::string name = plain((rung.is_peer ? "peer " : "") + rung.name);
      text += rung.ns > 0 ? fmt::format("| {} | {} | {} | {:.0f}% |\n", name, base::show_time(rung.ns), rung.spread(),
                                        std::min(100., 100 * one.floor_ns / rung.ns))
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
    text += fmt::format("Beforehand: {}.\n\n", prediction);
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
  if (const std::string target = steps.target_text(); !target.empty()) text += fmt::format("**{}**\n\n", plain(target));
  for (const Step& step : steps.all) text += section(journal, step);
  for (const Entry* note : notes_about(journal, 0))
    text += fmt::format("*Note of {}:* {}\n\n", note->time, plain(note->message));
  const auto ending = ending_of(journal, steps);
  if (!ending.empty()) text += "## Why it ended\n\n";
  for (const std::string& sentence : ending) text += plain(sentence) + "\n\n";
  text.resize(text.find_last_not_of('\n') + 1);
  return text + "\n";
}

}  // namespace rafter::journal
