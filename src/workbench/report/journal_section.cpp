#include "workbench/report/journal_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "base/units.hpp"
#include "workbench/draw/figure.hpp"
#include "workbench/journal/diff.hpp"
#include "workbench/journal/log.hpp"
#include "workbench/journal/steps.hpp"
#include "workbench/plot/axes.hpp"
#include "workbench/report/html.hpp"

namespace rafter::report {

namespace {

using journal::Step;
using journal::Steps;

/// Limits for changes: a longer one would only make the page heavy.
constexpr int most_diff_lines = 400, most_open_lines = 40;

std::string step_row(const Steps& steps, const Step& step, const std::string& prefix) {
  const journal::Row row = row_of(steps, step);
  const std::string exact = step.is_timed() ? fmt::format(" title=\"{}\"", step.rung.exact()) : "";
  return fmt::format(
      "<tr><td><a href=\"#{10}{0}\">{0}</a></td><td class=\"left what{1}\">{2}</td><td{3}>{4}</td><td>{5}</td>"
      "<td>{6}</td><td>{7}</td><td>{8}</td><td>{9}</td></tr>\n",
      row.step, row.is_wrong ? " bad" : "", escaped(row.what), exact, escaped(row.time), row.over_last,
      escaped(row.predicted), row.over_best, row.in_all, row.floor, prefix);
}

std::string steps_table(const Steps& steps, const std::string& prefix) {
  std::string html =
      "<div class=\"wide\"><table>\n<tr><th>step</th><th class=\"left\">what</th><th>time</th><th>x last</th>"
      "<th>predicted</th><th>x best</th><th>in all</th><th>floor</th></tr>\n";
  for (const Step& step : steps.all) html += step_row(steps, step, prefix);
  return html + "</table></div>\n";
}

std::string rung_row(const journal::TimedCase& one, const journal::TimedRung& rung) {
  const std::string name = escaped((rung.is_peer ? "peer " : "") + rung.name);
  if (!(rung.ns > 0))
    return fmt::format("<tr><td>{}</td><td class=\"bad left\" colspan=\"4\">{}: {}</td></tr>\n", name,
                       escaped(rung.status), escaped(rung.detail));
  std::string html = fmt::format("<tr{}><td title=\"{}\">{}</td><td title=\"{}\">{}</td><td>{}</td>",
                                 rung.is_peer ? " class=\"peer\"" : "", attribute(rung.idea), name, rung.exact(),
                                 escaped(rung.time()), rung.spread());
  const double share = std::min(100., 100 * one.floor_ns / rung.ns);
  if (one.floor_ns > 0)
    html += fmt::format("<td>{0:.0f}%</td><td class=\"share\"><div style=\"width:{0:.1f}%\"></div></td>", share);
  return html + "</tr>\n";
}

std::string rungs_table(const journal::TimedCase& one) {
  const bool has_floor = one.floor_ns > 0;
  std::string html = fmt::format(
      "<p class=\"soft\">{}{}</p>\n<div class=\"wide\"><table>\n<tr><th>rung</th><th>{}</th><th>95 %</th>{}{}</tr>\n",
      escaped(one.name),
      has_floor ? escaped(fmt::format("; floor {} ({})", base::show_time(one.floor_ns), one.floor_limit)) : "",
      one.is_estimate() ? "estimate" : "median", has_floor ? "<th>floor</th>" : "", has_floor ? bar_scale : "");
  for (const journal::TimedRung& rung : one.rungs) html += rung_row(one, rung);
  return html + "</table></div>\n";
}

std::string change_of(const journal::Entry& entry) {
  if (entry.change.empty()) return "";
  std::istringstream lines(entry.change);
  std::string body;
  int n_lines = 0;
  for (std::string line; std::getline(lines, line); ++n_lines) {
    if (n_lines >= most_diff_lines) continue;
    const char* kind = line.starts_with("+")   ? "add"
                       : line.starts_with("-") ? "del"
                       : line.starts_with("@") ? "at"
                                               : "";
    body +=
        *kind != '\0' ? fmt::format("<span class=\"{}\">{}</span>\n", kind, attribute(line)) : attribute(line) + "\n";
  }
  if (n_lines > most_diff_lines) body += fmt::format("... and {} more lines\n", n_lines - most_diff_lines);
  const journal::ChangedLines n = journal::changed_lines(entry.change);
  return fmt::format(
      "<details{}><summary>The change of the source: {} lines added, {} removed</summary>\n"
      "<pre>{}</pre></details>\n",
      n_lines <= most_open_lines ? " open" : "", n.n_added, n.n_removed, body);
}

std::string step_section(const journal::Journal& journal, const Step& step, const std::string& prefix) {
  const journal::Entry& entry = *step.entry;
  std::string html = fmt::format("<h3 id=\"{4}{0}\">Step {0}: {1}</h3>\n<p class=\"soft\">{2}{3}</p>\n", step.number,
                                 escaped(step.title()), escaped(entry.time),
                                 entry.command.empty() ? "" : ", " + code("rafter " + entry.command), prefix);
  const auto paragraph = [&](const char* what, const std::string& words) {
    if (!words.empty()) html += fmt::format("<p><strong>{}</strong> {}</p>\n", what, escaped(words));
  };
  if (entry.verdict != journal::Verdict::none)
    html += fmt::format("<p class=\"{}\">{}</p>\n", entry.verdict == journal::Verdict::right ? "good" : "bad",
                        name(entry.verdict));
  if (entry.is_busy) html += fmt::format("<p class=\"bad\">{}</p>\n", journal::busy_words);
  paragraph("Prediction:", prediction_text(step));
  for (const journal::TimedCase& one : step.cases) html += rungs_table(one);
  const journal::Answers answers = answers_of(journal, step);
  for (const journal::Question& question : journal::questions) paragraph(question.words, answers.*question.answer);
  for (const journal::Entry* note : notes_about(journal, entry.number)) {
    if (note->message != step.message) paragraph("Note:", note->message);
  }
  return html + change_of(entry);
}

/// Returns a figure of times over steps, with the floor and the target as lines; nullopt if fewer than two steps of the
/// main case were timed.
std::optional<draw::Figure> steps_figure(const journal::Steps& steps) {
  draw::Series times{.name = "", .marks = draw::Marks::line_and_points};
  draw::ChartPanel panel{.x = {.label = "step"}, .width = 560, .height = 220};
  draw::Range range{INFINITY, 0};
  const auto widen = [&](double ns) { range = {std::min(range.low, ns), std::max(range.high, ns)}; };
  for (const journal::Step& step : steps.all) {
    if (!steps.is_on_track(step)) continue;
    times.points.push_back({static_cast<double>(step.number), step.rung.ns});
    times.hints.push_back(
        fmt::format("step {}, {}: {}{}", step.number, step.rung.name, step.rung.time(),
                    step.over_last ? ", " + base::show_ratio(*step.over_last) + " over the previous step" : ""));
    panel.notes.push_back({times.points.back(), step.rung.time()});
    widen(step.rung.ns);
  }
  constexpr std::size_t few = 12;
  if (times.points.size() < 2) return std::nullopt;
  if (times.points.size() > few) panel.notes.clear();
  const double first = times.points.front().x, last = times.points.back().x;
  panel.x.range = draw::Range{first - 0.4, last + 0.4};
  for (const auto& [x, y] : times.points) panel.x.ticks.push_back({x, fmt::format("{:.0f}", x)});
  for (const journal::Step& step : steps.all) {
    const auto x = static_cast<double>(step.number);
    if (step.entry->verdict != journal::Verdict::wrong) continue;
    panel.references.push_back({draw::Reference::At::x, x, "WRONG"});
    panel.x.range = draw::Range{std::min(panel.x.range->low, x - 0.4), std::max(panel.x.range->high, x + 0.4)};
    panel.x.ticks.push_back({x, fmt::format("{}", step.number)});
  }
  if (const double target = steps.target_ns(); target > 0) {
    panel.references.push_back({draw::Reference::At::y, target, fmt::format("target {}", base::show_time(target))});
    widen(target);
  }
  if (const double floor = steps.best()->floor_ns; floor > 0) {
    panel.references.push_back({draw::Reference::At::y, floor, fmt::format("floor {}", base::show_time(floor))});
    widen(floor);
  }
  panel.y = plot::logarithmic_axis(range, plot::time_words);
  panel.y.label = steps.first()->rung.is_estimate() ? "estimated time of a call" : "time of a call";
  panel.series.push_back(std::move(times));
  return draw::Figure{.title = "time over steps", .subtitle = steps.case_name, .panels = {std::move(panel)}};
}

}  // namespace

std::string journal_section(const journal::Journal& journal, int number, Pictures& pictures) {
  const std::string prefix = fmt::format("journal-{}-step-", number);
  const Steps steps = steps_of(journal);
  std::string html =
      fmt::format("<p class=\"soft\">a journal of {} step{}{}{}</p>\n", steps.all.size(),
                  steps.all.size() == 1 ? "" : "s", steps.case_name.empty() ? "" : "; " + escaped(steps.case_name),
                  steps.first() == nullptr ? "" : "; " + escaped(steps.first()->entry->machine));
  if (const std::string target = steps.target_text(); !target.empty())
    html += fmt::format("<p><strong>{}</strong></p>\n", escaped(target));
  if (!steps.all.empty()) html += steps_table(steps, prefix);
  if (const std::string words = steps.estimate_words(); !words.empty())
    html += fmt::format("<p class=\"soft\">{}</p>\n", escaped(words));
  if (const auto figure = steps_figure(steps)) html += pictures.add(*figure, "time over steps");
  for (const Step& step : steps.all) html += step_section(journal, step, prefix);
  const auto ending = ending_of(journal, steps);
  if (!ending.empty()) html += "<h3>Why it ended</h3>\n";
  for (const std::string& sentence : ending) html += fmt::format("<p>{}</p>\n", escaped(sentence));
  return html;
}

}  // namespace rafter::report
