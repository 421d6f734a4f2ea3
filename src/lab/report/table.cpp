#include "lab/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.hpp"

namespace rafter::lab {

namespace {

constexpr int bar_cells = 12;

std::string bar(double share) {
  constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double cells = std::clamp(share, 0., 1.) * bar_cells;
  const int full = static_cast<int>(cells);
  std::string text;
  for (int i = 0; i < full; ++i) text += "█";
  const int part = full < bar_cells ? static_cast<int>((cells - full) * 8) : 0;
  text += eighths[part];
  const int used = full + (part > 0 ? 1 : 0);
  return text + std::string(static_cast<std::size_t>(bar_cells - used), ' ');
}

std::string paint(base::Style style, const char* code, const std::string& text) {
  return style == base::Style::coloured ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::string rate(const CaseReport& report, double ns) {
  if (report.floor.limit != Floor::Limit::arithmetic) return base::show_rate(1e9 * report.cost.bytes() / ns, "B/s");
  const Unit unit = report.floor.unit;
  return base::show_rate(1e9 * report.cost.operations[unit] / ns, unit == Unit::special ? "op/s" : "FLOP/s");
}

const Measurement* first_rung(const CaseReport& report) {
  for (const Measurement& m : report.rungs) {
    if (m.status == Status::verified && m.rung->kind == RungKind::rung) return &m;
  }
  return nullptr;
}

std::string row(const CaseReport& report, const Measurement& m, base::Style style) {
  const std::string label = (m.rung->kind == RungKind::peer ? "peer " : "") + m.rung->name;
  if (m.status != Status::verified) {
    const bool bad = m.status != Status::absent && m.status != Status::refused;
    return fmt::format("  {:<19} {}\n", label, paint(style, bad ? "31;1" : "2", name(m.status)));
  }
  const double median = m.summary.median;
  const double share = report.share_of_floor(m);
  const Measurement* first = first_rung(report);
  const Measurement* peer = report.best_peer();
  return fmt::format("  {:<19} {:>9}  ±{:>4.1f}%  {:>10}  {:>4.0f}% {} {:>7}  {:>7}\n", label, base::show_time(median),
                     100 * m.summary.uncertainty(), rate(report, median), 100 * share,
                     paint(style,
                           share >= 0.9   ? "32"
                           : share >= 0.5 ? "33"
                                          : "31",
                           bar(share)),
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

std::string conclusion(const CaseReport& report) {
  const Measurement* op = report.op();
  if (op == nullptr) return "";
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
  return wrapped(text, 2);
}

/// More than half of the host's time is not the GPU's work, and that work is within ten empty kernels.
bool is_launch_bound(const Measurement& m, Device device, const Roofs& roofs) {
  const auto wall = m.others.find(Regime::wall);
  return device == Device::cuda && wall != m.others.end() && wall->second.median > 2 * m.summary.median &&
         m.summary.median < 10 * roofs.launch_ns;
}

std::string other_regimes(const CaseReport& report, const Roofs& roofs) {
  std::string text;
  for (const Measurement& m : report.rungs) {
    if (m.others.empty()) continue;
    std::string line =
        fmt::format("  {:<19} {} {}", m.rung->name, name(report.regime), base::show_time(m.summary.median));
    for (const auto& [regime, summary] : m.others) {
      line += fmt::format("   {} {}", name(regime), summary.n > 0 ? base::show_time(summary.median) : "not possible");
    }
    text += line + (is_launch_bound(m, report.device, roofs) ? "   launch-bound\n" : "\n");
  }
  return text;
}

/// Who was still unsteady when its time was up, and whose clock was low.
std::string timing_notes(const CaseReport& report) {
  std::string unsteady;
  std::string slowed;
  for (const Measurement& m : report.rungs) {
    const bool wide = m.stopped_by == "time" && m.summary.uncertainty() > 0.02;
    if (wide) unsteady += (unsteady.empty() ? "" : ", ") + m.rung->name;
    if (m.n_discarded > 0) slowed += fmt::format("{}{} ({})", slowed.empty() ? "" : ", ", m.rung->name, m.n_discarded);
  }
  return (unsteady.empty() ? "" : wrapped("not steady within the time allowed: " + unsteady, 2)) +
         (slowed.empty() ? "" : wrapped("samples discarded while the clock was low: " + slowed, 2));
}

std::string notes(const CaseReport& report) {
  std::string text;
  for (const Measurement& m : report.rungs) {
    if (m.status != Status::verified)
      text += wrapped(fmt::format("{} {}: {}", m.rung->name, name(m.status), m.reason), 2);
  }
  return text;
}

}  // namespace

std::string ladder_table(const CaseReport& report, const Roofs& roofs, base::Style style) {
  const std::string title = fmt::format("{}  {}", report.workload->name, report.params.text());
  const std::string where =
      fmt::format("on {}   floor {} ({})\n", name(report.device), base::show_time(report.floor.ns), name(report.floor));
  std::string text = paint(style, "1", title);
  text += title.size() + where.size() <= 96 ? "   " + where : "\n  " + where;
  text += fmt::format("  {:<19} {:>9}  {:>6}  {:>10}  {:>5} {:<{}} {:>7}  {:>7}\n", "rung", "median", "95%", "rate",
                      "floor", "", bar_cells, "x first", "x peer");
  for (const Measurement& m : report.rungs) text += row(report, m, style);
  text += conclusion(report) + other_regimes(report, roofs) + timing_notes(report);
  const Measurement* op = report.op();
  if (report.device == Device::cuda && op != nullptr && op->summary.median < 20e3) {
    text += fmt::format("  an empty kernel takes {} here\n", base::show_time(roofs.launch_ns));
  }
  return text + notes(report);
}

}  // namespace rafter::lab
