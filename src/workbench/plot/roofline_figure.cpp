#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/units.hpp"
#include "rafter/error.hpp"
#include "workbench/plot/axes.hpp"
#include "workbench/plot/figures.hpp"

namespace rafter::plot {

namespace {

struct Roofline {
  double bytes_per_s = 0;
  double operations_per_s = 0;

  double ridge() const { return operations_per_s / bytes_per_s; }
  double at(double intensity) const { return std::min(operations_per_s, bytes_per_s * intensity); }
};

double intensity_of(const MeasuredCase& one) { return one.operations / one.bytes; }

void widen(draw::Range& range, double value) { range = {std::min(range.low, value), std::max(range.high, value)}; }

/// Adds a point per rung; rungs of the same name form one series over all cases.
void add_points(draw::ChartPanel& panel, const MeasuredCase& one) {
  for (const MeasuredRung& rung : one.rungs) {
    if (!(rung.ns > 0)) continue;
    const std::string name = (rung.is_peer ? "peer " : "") + rung.name;
    auto series = std::find_if(panel.series.begin(), panel.series.end(),
                               [&](const draw::Series& other) { return other.name == name; });
    if (series == panel.series.end()) {
      series = panel.series.insert(
          panel.series.end(),
          {.name = name, .marks = draw::Marks::points, .look = rung.is_peer ? draw::Look::dashed : draw::Look::solid});
    }
    const double rate = one.operations / rung.ns * 1e9;
    series->points.push_back({intensity_of(one), rate});
    series->hints.push_back(
        fmt::format("{}, {}: {}, {}", name, one.params, base::show_time(rung.ns), base::show_rate(rate, "FLOP/s")));
  }
}

std::vector<std::string> words_of(const std::string& params) {
  std::istringstream text(params);
  return {std::istream_iterator<std::string>(text), {}};
}

/// Names the fastest point of each case by the parameters in which the cases differ: "n=2^20". Of many cases, only some
/// are named.
void name_cases(draw::ChartPanel& panel, const std::vector<MeasuredCase>& cases) {
  constexpr std::size_t most = 12;
  const std::size_t every = (cases.size() + most - 1) / most;
  if (cases.size() < 2) return;
  for (std::size_t i = 0; i < cases.size(); i += every) {
    std::string name;
    for (const std::string& word : words_of(cases[i].params)) {
      const bool is_common = std::all_of(cases.begin(), cases.end(), [&](const MeasuredCase& other) {
        const std::vector<std::string> words = words_of(other.params);
        return std::find(words.begin(), words.end(), word) != words.end();
      });
      if (!is_common) name += (name.empty() ? "" : " ") + word;
    }
    double ns = INFINITY;
    for (const MeasuredRung& rung : cases[i].rungs) ns = rung.ns > 0 ? std::min(ns, rung.ns) : ns;
    if (!name.empty() && std::isfinite(ns))
      panel.notes.push_back({{intensity_of(cases[i]), cases[i].operations / ns * 1e9}, name});
  }
}

draw::ChartPanel panel_of(const std::string& workload, const std::vector<MeasuredCase>& cases, const Roofline& roofs) {
  const std::string& unit = cases.front().unit;
  draw::ChartPanel panel{.title = workload};
  draw::Range x{roofs.ridge(), roofs.ridge()}, y{roofs.operations_per_s, roofs.operations_per_s};
  for (const MeasuredCase& one : cases) {
    add_points(panel, one);
    widen(x, intensity_of(one));
    widen(y, roofs.at(intensity_of(one)));
  }
  for (const draw::Series& series : panel.series) {
    for (const draw::DataPoint& point : series.points) widen(y, point.y);
  }
  x = {x.low / 2, x.high * 2};
  widen(y, roofs.at(x.low));
  draw::Series roof{
      .name = "roofs",
      .points = {{x.low, roofs.at(x.low)}, {roofs.ridge(), roofs.operations_per_s}, {x.high, roofs.operations_per_s}},
      .marks = draw::Marks::line,
      .look = draw::Look::reference};
  panel.notes = {{roof.points[0], "memory " + base::show_rate(roofs.bytes_per_s, "B/s")},
                 {{std::sqrt(roofs.ridge() * x.high), roofs.operations_per_s},
                  unit + " " + base::show_rate(roofs.operations_per_s, "FLOP/s")}};
  panel.series.push_back(std::move(roof));
  name_cases(panel, cases);
  panel.x = logarithmic_axis(x, plain_words);
  panel.x.range = x;
  panel.x.label = "operations per byte";
  panel.y = logarithmic_axis(y, rate_words);
  panel.y.label = unit + " operations per second";
  return panel;
}

}  // namespace

draw::Figure roofline_figure(const nlohmann::json& results, std::span<const MeasuredCase> cases,
                             const std::string& machine) {
  draw::Figure figure{.title = "roofline of " + machine,
                      .subtitle = "least operations and bytes of each case; medians"};
  std::vector<std::string> workloads;
  for (const MeasuredCase& one : cases) {
    const bool is_new = std::find(workloads.begin(), workloads.end(), one.workload) == workloads.end();
    if (one.operations > 0 && one.bytes > 0 && is_new) workloads.push_back(one.workload);
  }
  if (workloads.empty())
    throw Error(ErrorCode::bad_argument, "no case in these results has arithmetic operations, which a roofline needs");
  for (const std::string& workload : workloads) {
    std::vector<MeasuredCase> its;
    for (const MeasuredCase& one : cases) {
      const bool has_place = one.workload == workload && one.operations > 0 && one.bytes > 0;
      if (has_place && (its.empty() || its.front().unit == one.unit)) its.push_back(one);
    }
    const Roofline roofs{read_roof(results), operation_roof(results, its.front().unit)};
    if (!is_positive(roofs.bytes_per_s) || !is_positive(roofs.operations_per_s))
      throw Error(ErrorCode::bad_argument, fmt::format("these results have no roofs for {}", its.front().unit));
    figure.panels.emplace_back(panel_of(workload, its, roofs));
  }
  figure.n_columns = figure.panels.size() > 1 ? 2 : 1;
  return figure;
}

}  // namespace rafter::plot
