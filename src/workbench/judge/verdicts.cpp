#include "workbench/judge/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/csv.hpp"
#include "base/terminal.hpp"
#include "base/xml.hpp"

namespace rafter::judge {

using nlohmann::json;

namespace {

std::ptrdiff_t count_of(std::span<const Judgement> all, const char* verdict) {
  return std::count_if(all.begin(), all.end(), [=](const Judgement& one) { return one.verdict == verdict; });
}

std::string shown_count(std::ptrdiff_t n) { return fmt::format("{} submission{}", n, n == 1 ? "" : "s"); }

/// The number of cases for which the submission was right.
std::size_t n_right_cases(const Judgement& one) {
  std::size_t n = 0;
  for (const json& exercise : one.exercises) n += exercise.value("right_with", json::array()).size();
  return n;
}

/// The details of the first message.
std::string detail_of(const Judgement& one) {
  for (const json& exercise : one.exercises) {
    if (exercise.contains("message")) return exercise["message"].value("detail", "");
  }
  return "";
}

/// The first `width` characters of the first line, so that a file cannot break the table.
std::string cut(const std::string& text, std::size_t width) {
  std::string line = text.substr(0, text.find('\n'));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; }, '?');
  if (line.size() <= width) return line;
  std::size_t end = width - 3;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;  // not within a character of UTF-8
  return line.substr(0, end) + "...";
}

}  // namespace

void conclude(Judgement& judgement) {
  judgement.verdict = judgement.exercises.empty() ? not_run_word : right_word;
  if (judgement.exercises.empty() && judgement.why.empty()) judgement.why = "its process ended without a verdict";
  for (const json& exercise : judgement.exercises) {
    const std::string verdict = exercise.value("verdict", not_run_word);
    if (verdict == right_word || judgement.verdict == not_run_word) continue;
    judgement.verdict = verdict == wrong_word ? wrong_word : not_run_word;
    judgement.why = exercise.value("message", json::object()).value("title", "it has no verdict");
  }
}

json to_json(const Judgement& one) {
  return {{"file", one.submission.file}, {"sha256", one.submission.sha256}, {"verdict", one.verdict}, {"why", one.why},
          {"seconds", one.seconds},      {"exercises", one.exercises}};
}

Judgement judgement_of(const json& from) {
  Judgement one{.submission = {from.at("file"), from.at("sha256")},
                .why = from.at("why"),
                .seconds = from.at("seconds"),
                .exercises = from.at("exercises")};
  one.verdict = from.at("verdict");
  return one;
}

std::string table_of(std::span<const Judgement> all) {
  const auto width = static_cast<std::size_t>(base::output_columns());
  std::size_t longest = 10;
  for (const Judgement& one : all) longest = std::max(longest, one.submission.file.size());
  const std::size_t names = std::min(longest, width / 2), rest = width - names - 17;
  std::string text = fmt::format("{:{}}  {:13}  {}\n", "submission", names, "verdict", "why");
  for (const Judgement& one : all) {
    const std::string& file = one.submission.file;
    const std::string shown = file.size() <= names ? file : "..." + file.substr(file.size() - names + 3);
    const std::string line = fmt::format("{:{}}  {:13}  {}", cut(shown, names), names, one.verdict, cut(one.why, rest));
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string csv_of(std::span<const Judgement> all) {
  std::string text = base::csv_line({"file", "sha256", "verdict", "why", "cases_right", "seconds"});
  for (const Judgement& one : all)
    text += base::csv_line({one.submission.file, one.submission.sha256, one.verdict, one.why,
                            std::to_string(n_right_cases(one)), fmt::format("{:.1f}", one.seconds)});
  return text;
}

std::string junit_of(const std::string& exercise, std::span<const Judgement> all) {
  double seconds = 0;
  for (const Judgement& one : all) seconds += one.seconds;
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.1f}\">\n",
                      base::xml_escaped(exercise), all.size(), count_of(all, wrong_word), count_of(all, not_run_word),
                      seconds);
  for (const Judgement& one : all) {
    const std::string head =
        fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.1f}\"", base::xml_escaped(exercise),
                    base::xml_escaped(one.submission.file), one.seconds);
    if (one.is_right()) {
      text += head + "/>\n";
      continue;
    }
    const char* const element = one.verdict == wrong_word ? "failure" : "error";
    text += fmt::format("{}>\n    <{} message=\"{}\">{}</{}>\n  </testcase>\n", head, element,
                        base::xml_escaped(one.why), base::xml_escaped(detail_of(one)), element);
  }
  return text + "</testsuite>\n";
}

std::string summary_of(std::span<const Judgement> all) {
  std::string text = fmt::format("{}: {} right", shown_count(std::ssize(all)), count_of(all, right_word));
  if (const auto n = count_of(all, wrong_word); n > 0) text += fmt::format(", {} wrong", n);
  if (const auto n = count_of(all, not_run_word); n > 0) text += fmt::format(", {} could not be run", n);
  return text;
}

}  // namespace rafter::judge
