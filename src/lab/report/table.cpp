#include "lab/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.hpp"

namespace rafter::lab {

namespace {

/// Widths of the columns that are not the same in all tables.
struct Columns {
  int value = 0;     ///< of a swept parameter; 0: there is none
  int launches = 0;  ///< 8 where a rung has several; 0: there is none
  int rate = 10;
  int bar = 12;
};

/// The first column of a line: nothing where the table has none.
std::string value_cell(const Columns& columns, const std::string& value) {
  return columns.value > 0 ? fmt::format("  {:>{}}", value, columns.value) : "";
}

/// Behind the rung's name: nothing where the table has none.
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

/// "± 0.5%", "± 123%"
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

std::string heading_row(const Columns& columns, const std::string& parameter = "") {
  return value_cell(columns, parameter) + fmt::format("  {:<19}{} {:>9}  {:>6}  {:>{}}  {:>5} {:<{}} {:>7}  {:>7}\n",
                                                      "rung", launches_cell(columns, "launches"), "median", "95%",
                                                      "rate", columns.rate, "floor", "", columns.bar, "x first",
                                                      "x peer");
}

/// Without the column of the value.
std::string row(const CaseReport& report, const Measurement& m, const Columns& columns, base::Style style) {
  const std::string label = (m.rung->kind == RungKind::peer ? "peer " : "") + m.rung->name;
  if (m.status != Status::verified) {
    const bool bad = m.status != Status::absent && m.status != Status::refused;
    return fmt::format("  {:<19} {}\n", label, paint(style, bad ? "31;1" : "2", name(m.status)));
  }
  const double median = m.summary.median;
  const double share = report.share_of_floor(m);
  const Measurement* first = first_rung(report);
  const Measurement* peer = report.best_peer();
  const std::string launches = m.n_launches ? std::to_string(*m.n_launches) : "-";
  return fmt::format("  {:<19}{} {:>9}  {}  {:>{}}  {:>4.0f}% {} {:>7}  {:>7}\n", label,
                     launches_cell(columns, launches), base::show_time(median), uncertainty(m.summary),
                     rate(report, median), columns.rate, 100 * share,
                     paint(style,
                           share >= 0.9   ? "32"
                           : share >= 0.5 ? "33"
                                          : "31",
                           bar(share, columns.bar)),
                     first != nullptr ? base::show_ratio(first->summary.median / median) : "-",
                     peer != nullptr && peer != &m ? base::show_ratio(peer->summary.median / median) : "-");
}

constexpr std::size_t n_columns = 100;

/// The text in lines of up to 100 columns, broken at spaces; the first starts with `indent` spaces, the others with two
/// more.
std::string wrapped(std::string text, std::size_t indent) {
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

/// The op against the floor and the best peer.
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

/// More than half of the host's time is not the GPU's work, and that work is within ten empty kernels.
bool is_launch_bound(const Measurement& m, Device device, const Roofs& roofs) {
  const auto wall = m.others.find(Regime::wall);
  return device == Device::cuda && wall != m.others.end() && wall->second.median > 2 * m.summary.median &&
         m.summary.median < 10 * roofs.launch_ns;
}

Sentences other_regimes(const CaseReport& report, const Roofs& roofs) {
  Sentences lines;
  for (const Measurement& m : report.rungs) {
    if (m.others.empty()) continue;
    std::string line =
        fmt::format("{:<19} {} {}", m.rung->name, name(report.regime), base::show_time(m.summary.median));
    for (const auto& [regime, summary] : m.others) {
      line += fmt::format("   {} {}", name(regime), summary.n > 0 ? base::show_time(summary.median) : "not possible");
    }
    lines.push_back(line + (is_launch_bound(m, report.device, roofs) ? "   launch-bound" : ""));
  }
  return lines;
}

/// Who was still unsteady when its time was up, and whose clock was low.
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

/// Short times on a GPU beside what a launch takes at least, and whose launches alone take most of its time.
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

/// Why a rung has no time.
Sentences reasons(const CaseReport& report) {
  Sentences all;
  for (const Measurement& m : report.rungs) {
    if (m.status != Status::verified) all.push_back(fmt::format("{} {}: {}", m.rung->name, name(m.status), m.reason));
  }
  return all;
}

/// What stands below the rows, after the conclusion.
Sentences remarks(const CaseReport& report, const Roofs& roofs) {
  Sentences all;
  for (const Sentences& some :
       {other_regimes(report, roofs), timing_notes(report), launch_note(report, roofs), reasons(report)}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// "sum  dtype=float32   on cpu   floor ..." in one line or two.
std::string heading(const std::string& title, const std::string& where, base::Style style) {
  return paint(style, "1", title) + (title.size() + where.size() <= 96 ? "   " : "\n  ") + where;
}

std::string value_text(const CaseReport& report, const Parameter& swept) {
  return show(*report.params.find(swept.name));
}

bool has_several_launches(std::span<const CaseReport> reports) {
  return std::any_of(reports.begin(), reports.end(), [](const CaseReport& report) {
    return std::any_of(report.rungs.begin(), report.rungs.end(),
                       [](const Measurement& m) { return m.n_launches.value_or(1) > 1; });
  });
}

/// The bars take what the others leave of 100 columns.
Columns columns_for(std::span<const CaseReport> reports, const Parameter* swept = nullptr) {
  Columns columns;
  constexpr int room = 12;  // beside the narrowest columns
  std::size_t value = swept != nullptr ? swept->name.size() : 0;
  for (const CaseReport& report : reports) {
    if (swept != nullptr) value = std::max(value, value_text(report, *swept).size());
    if (report.floor.limit == Floor::Limit::arithmetic) columns.rate = 12;  // "1.23 GFLOP/s"
  }
  columns.value = static_cast<int>(std::min(value, std::size_t{20}));
  int taken = (swept != nullptr ? 2 + columns.value : 0) + columns.rate - Columns{}.rate;
  constexpr int launches = 8;
  if (has_several_launches(reports) && taken + 2 + launches <= room + columns.bar) {
    columns.launches = launches;
    taken += 2 + launches;
  }
  columns.bar = std::max(0, columns.bar - std::max(0, taken - room));
  return columns;
}

/// A sentence, and the values of a swept parameter that it holds for.
struct Said {
  std::string values;
  std::string sentence;
};

void say(std::vector<Said>& all, const std::string& value, const Sentences& sentences) {
  for (const std::string& sentence : sentences) {
    const auto known = std::find_if(all.begin(), all.end(), [&](const Said& one) { return one.sentence == sentence; });
    known != all.end() ? void(known->values += ", " + value) : all.push_back({value, sentence});
  }
}

}  // namespace

std::string ladder_table(const CaseReport& report, const Roofs& roofs, base::Style style) {
  const std::string title = fmt::format("{}  {}", report.workload->name, report.params.text());
  const std::string where =
      fmt::format("on {}   floor {} ({})\n", name(report.device), base::show_time(report.floor.ns), name(report.floor));
  const Columns columns = columns_for({&report, 1});
  std::string text = heading(title, where, style) + heading_row(columns);
  for (const Measurement& m : report.rungs) text += row(report, m, columns, style);
  for (const std::string& sentence : conclusion(report)) text += wrapped(sentence, 2);
  for (const std::string& sentence : remarks(report, roofs)) text += wrapped(sentence, 2);
  return text;
}

std::string sweep_table(const Parameter& swept, std::span<const CaseReport> reports, const Roofs& roofs,
                        base::Style style) {
  const CaseReport& first = reports.front();
  const std::string title = fmt::format("{}  {}", first.workload->name, first.params.without(swept.name).text());
  const Columns columns = columns_for(reports, &swept);
  std::string text = heading(title, fmt::format("on {}, by {}\n", name(first.device), swept.name), style);
  text += heading_row(columns, swept.name);
  for (const CaseReport& report : reports) {
    const std::string value = value_text(report, swept);
    const std::string floor = fmt::format("floor ({})", name(report.floor));
    text += value_cell(columns, value) +
            paint(style, "2", fmt::format("  {:<19} {:>9}", floor, base::show_time(report.floor.ns))) + "\n";
    for (const Measurement& m : report.rungs) text += value_cell(columns, value) + row(report, m, columns, style);
  }
  std::vector<Said> said;
  for (const CaseReport& report : reports) say(said, value_text(report, swept), conclusion(report));
  for (const CaseReport& report : reports) say(said, value_text(report, swept), remarks(report, roofs));
  for (const auto& [values, sentence] : said) {
    text += wrapped(fmt::format("{} = {}: {}", swept.name, values, sentence), 2);
  }
  return text;
}

}  // namespace rafter::lab
