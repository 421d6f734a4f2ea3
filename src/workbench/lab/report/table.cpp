#include "workbench/lab/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.hpp"
#include "workbench/lab/report/columns.hpp"
#include "workbench/lab/report/regime_table.hpp"

namespace rafter::lab {

namespace {

/// Returns the first column of a line, or "" if the table has none.
std::string value_cell(const Columns& columns, const std::string& value) {
  return columns.value > 0 ? fmt::format("  {:>{}}", value, columns.value) : "";
}

/// Returns the column after the rung's name, or "" if the table has none.
std::string launches_cell(const Columns& columns, const std::string& text) {
  return columns.launches > 0 ? fmt::format("  {:>{}}", text, columns.launches) : "";
}

std::string bar(double share, int n_cells) {
  constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double cells = std::clamp(share, 0., 1.) * n_cells;
  const int full = static_cast<int>(cells);
  std::string text;
  for (int i = 0; i < full; ++i) text += "█";
  const int part = full < n_cells ? static_cast<int>((cells - full) * 8) : 0;
  text += eighths[part];
  const int used = full + (part > 0 ? 1 : 0);
  return text + std::string(static_cast<std::size_t>(n_cells - used), ' ');
}

std::string paint(base::Style style, const char* code, const std::string& text) {
  return style == base::Style::coloured ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::string rate(const CaseReport& report, double ns) {
  if (report.floor.limit != Floor::Limit::arithmetic) return base::show_rate(1e9 * report.cost.bytes() / ns, "B/s");
  const Unit unit = report.floor.unit;
  return base::show_rate(1e9 * report.cost.operations[unit] / ns, unit == Unit::special ? "op/s" : "FLOP/s");
}

/// Returns the uncertainty as text: "± 0.5%", "± 123%".
std::string uncertainty(const Summary& summary) {
  const double percent = 100 * summary.uncertainty();
  return fmt::format("±{:>4.{}f}%", percent, percent < 99.95 ? 1 : 0);
}

const Measurement* first_rung(const CaseReport& report) {
  for (const Measurement& m : report.rungs) {
    if (m.status == Status::verified && m.rung->kind == RungKind::rung) return &m;
  }
  return nullptr;
}

/// The cells of a line after its name. Cells of omitted columns are not printed.
struct Cells {
  std::string median, interval, rate, floor, bar, x_first, x_peer;
};

std::string line(const Columns& columns, const std::string& label, const std::string& launches, const Cells& cells) {
  std::string text =
      fmt::format("  {:<{}}{} {:>9}", label, columns.name, launches_cell(columns, launches), cells.median);
  if (columns.interval > 0) text += fmt::format("  {:>6}", cells.interval);
  if (columns.rate > 0) text += fmt::format("  {:>{}}", cells.rate, columns.rate);
  text += fmt::format("  {:>5}", cells.floor);
  if (columns.bar > 0) text += " " + cells.bar;
  return text + fmt::format(" {:>7}  {:>7}\n", cells.x_first, cells.x_peer);
}

std::string heading_row(const Columns& columns, const std::string& parameter = "") {
  const std::string no_bar(static_cast<std::size_t>(columns.bar), ' ');
  return value_cell(columns, parameter) +
         line(columns, "rung", "launches", {"median", "95%", "rate", "floor", no_bar, "x first", "x peer"});
}

/// Returns the row of a rung without the column of the swept value.
std::string row(const CaseReport& report, const Measurement& m, const Columns& columns, base::Style style) {
  const std::string label = label_of(m);
  if (m.status != Status::verified) {
    const bool bad = m.status != Status::absent && m.status != Status::refused;
    return fmt::format("  {:<{}} {}\n", label, columns.name, paint(style, bad ? "31;1" : "2", name(m.status)));
  }
  const double median = m.summary.median;
  const double share = report.share_of_floor(m);
  const Measurement* first = first_rung(report);
  const Measurement* peer = report.best_peer();
  const char* colour = share >= 0.9 ? "32" : share >= 0.5 ? "33" : "31";
  return line(columns, label, m.n_launches ? std::to_string(*m.n_launches) : "-",
              {base::show_time(median), uncertainty(m.summary), rate(report, median),
               fmt::format("{:.0f}%", 100 * share), paint(style, colour, bar(share, columns.bar)),
               first != nullptr ? base::show_ratio(first->summary.median / median) : "-",
               peer != nullptr && peer != &m ? base::show_ratio(peer->summary.median / median) : "-"});
}

/// Breaks the text at spaces into lines of up to `width` columns. The first line starts with `indent` spaces, the
/// others with two more.
std::string wrapped(std::string text, std::size_t indent, int width) {
  const auto n_columns = static_cast<std::size_t>(width);
  std::string lines;
  text.insert(0, indent, ' ');
  while (text.size() > n_columns) {
    std::size_t at = text.rfind(' ', n_columns);
    if (at == std::string::npos || at <= indent + 2) at = n_columns;
    lines += text.substr(0, at) + "\n";
    text.erase(0, text[at] == ' ' ? at + 1 : at);
    text.insert(0, indent + 2, ' ');
  }
  return lines + text + "\n";
}

using Sentences = std::vector<std::string>;

/// Compares the op with the floor and the best peer.
Sentences conclusion(const CaseReport& report) {
  const Measurement* op = report.op();
  if (op == nullptr) return {};
  std::string text = fmt::format("{} reaches {:.0f}% of the floor", op->rung->name, 100 * report.share_of_floor(*op));
  if (const Measurement* peer = report.best_peer()) {
    const Versus v = versus(*op, *peer, report.noise);
    text += fmt::format("; against {}: {} ({} to {}) {}", peer->rung->name, base::show_ratio(v.ratio),
                        base::show_ratio(v.interval_low), base::show_ratio(v.interval_high), name(v.verdict));
    if (v.verdict == Verdict::undecided && is_too_noisy(report.noise)) {
      text += fmt::format(": this machine is too noisy, {} differs from itself by up to {:.0f}%", op->rung->name,
                          100 * report.noise);
    }
  }
  return {text};
}

/// Lists the rungs that were unsteady when their time was up, and those with discarded samples.
Sentences timing_notes(const CaseReport& report) {
  std::string unsteady;
  std::string slowed;
  for (const Measurement& m : report.rungs) {
    const bool wide = m.stopped_by == "time" && m.summary.uncertainty() > 0.02;
    if (wide) unsteady += (unsteady.empty() ? "" : ", ") + m.rung->name;
    if (m.n_discarded > 0) slowed += fmt::format("{}{} ({})", slowed.empty() ? "" : ", ", m.rung->name, m.n_discarded);
  }
  Sentences notes;
  if (!unsteady.empty()) notes.push_back("not steady within the time allowed: " + unsteady);
  if (!slowed.empty()) notes.push_back("samples discarded while the clock was low: " + slowed);
  return notes;
}

/// Gives the time of an empty launch next to short times on a GPU, and lists the rungs that spend most
/// of their time on launches alone.
Sentences launch_note(const CaseReport& report, const Roofs& roofs) {
  const Measurement* op = report.op();
  if (report.device != Device::cuda || op == nullptr) return {};
  std::string bound;
  for (const Measurement& m : report.rungs) {
    const double least = m.n_launches.value_or(0) * roofs.launch_ns;
    if (m.status == Status::verified && least > m.summary.median / 2)
      bound += fmt::format("{}{} (launches alone {})", bound.empty() ? "" : ", ", m.rung->name, base::show_time(least));
  }
  Sentences notes;
  if (!bound.empty()) notes.push_back("launch-bound: " + bound);
  if (!bound.empty() || op->summary.median < 20e3)
    notes.push_back(fmt::format("an empty kernel takes {} here", base::show_time(roofs.launch_ns)));
  return notes;
}

/// Gives the reason for each rung without a time.
Sentences reasons(const CaseReport& report) {
  Sentences all;
  for (const Measurement& m : report.rungs) {
    if (m.status != Status::verified) all.push_back(fmt::format("{} {}: {}", m.rung->name, name(m.status), m.reason));
  }
  return all;
}

/// Returns the sentences below the rows, after the conclusion.
Sentences remarks(const CaseReport& report, const Roofs& roofs) {
  Sentences all;
  for (const Sentences& some : {timing_notes(report), launch_note(report, roofs), reasons(report)}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// Returns a heading such as "sum  dtype=float32   on cpu   floor ..." in one or several lines.
std::string heading(const std::string& title, const std::string& where, base::Style style, int width) {
  const auto n_columns = static_cast<std::size_t>(width);
  if (title.size() + 3 + where.size() <= n_columns) return paint(style, "1", title) + "   " + where + "\n";
  std::string lines = wrapped(title, 0, width);
  lines.pop_back();
  return paint(style, "1", lines) + "\n" + wrapped(where, 2, width);
}

/// A sentence and the values of a swept parameter that it applies to.
struct Remark {
  std::string values;
  std::string sentence;
};

void add_remarks(std::vector<Remark>& all, const std::string& value, const Sentences& sentences) {
  for (const std::string& sentence : sentences) {
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const Remark& one) { return one.sentence == sentence; });
    known != all.end() ? void(known->values += ", " + value) : all.push_back({value, sentence});
  }
}

}  // namespace

std::string ladder_table(const CaseReport& report, const Roofs& roofs, base::Style style, int width) {
  const std::string title = fmt::format("{}  {}", report.workload->name, report.params.text());
  const std::string where =
      fmt::format("on {}   floor {} ({})", name(report.device), base::show_time(report.floor.ns), name(report.floor));
  const Columns columns = columns_for({&report, 1}, nullptr, width);
  std::string text = heading(title, where, style, width) + heading_row(columns);
  for (const Measurement& m : report.rungs) text += row(report, m, columns, style);
  for (const std::string& sentence : conclusion(report)) text += wrapped(sentence, 2, width);
  text += regime_table({&report, 1}, nullptr, roofs, width);
  for (const std::string& sentence : remarks(report, roofs)) text += wrapped(sentence, 2, width);
  return text;
}

std::string sweep_table(const Parameter& swept, std::span<const CaseReport> reports, const Roofs& roofs,
                        base::Style style, int width) {
  const CaseReport& first = reports.front();
  const std::string title = fmt::format("{}  {}", first.workload->name, first.params.without(swept.name).text());
  const Columns columns = columns_for(reports, &swept, width);
  std::string text = heading(title, fmt::format("on {}, by {}", name(first.device), swept.name), style, width);
  text += heading_row(columns, swept.name);
  for (const CaseReport& report : reports) {
    const std::string value = value_text(report, swept);
    const std::string floor = fmt::format("  {:<{}}{} {:>9}", floor_label(report), columns.name,
                                          launches_cell(columns, ""), base::show_time(report.floor.ns));
    text += value_cell(columns, value) + paint(style, "2", floor) + "\n";
    for (const Measurement& m : report.rungs) text += value_cell(columns, value) + row(report, m, columns, style);
  }
  std::vector<Remark> pending;
  const auto print_pending = [&] {
    for (const auto& [values, sentence] : pending)
      text += wrapped(fmt::format("{} = {}: {}", swept.name, values, sentence), 2, width);
    pending.clear();
  };
  for (const CaseReport& report : reports) add_remarks(pending, value_text(report, swept), conclusion(report));
  print_pending();
  text += regime_table(reports, &swept, roofs, width);
  for (const CaseReport& report : reports) add_remarks(pending, value_text(report, swept), remarks(report, roofs));
  print_pending();
  return text;
}

}  // namespace rafter::lab
