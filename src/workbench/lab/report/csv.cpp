#include "workbench/lab/report/csv.hpp"

#include <fmt/format.h>

#include "base/csv.hpp"

namespace rafter::lab {

std::string results_csv(std::span<const CaseReport> reports) {
  std::string text = base::csv_line({"workload", "params", "device", "regime", "rung", "kind", "status", "detail",
                                     "median_ns", "interval_low_ns", "interval_high_ns", "samples", "launches",
                                     "floor_ns", "floor_limit", "bytes_read", "bytes_written"});
  for (const CaseReport& report : reports) {
    for (const Measurement& m : report.rungs) {
      const bool is_timed = m.status == Status::verified && m.summary.n > 0;
      const auto if_timed = [&](auto value) { return is_timed ? fmt::format("{}", value) : ""; };
      text += base::csv_line(
          {report.workload->name, report.params.text(), std::string(name(report.device)),
           std::string(name(report.regime)), m.rung->name, m.rung->kind == RungKind::peer ? "peer" : "rung",
           name(m.status), m.reason, if_timed(m.summary.median), if_timed(m.summary.interval_low),
           if_timed(m.summary.interval_high), if_timed(m.summary.n), m.n_launches ? std::to_string(*m.n_launches) : "",
           fmt::format("{}", report.floor.ns), name(report.floor), fmt::format("{}", report.cost.bytes_read),
           fmt::format("{}", report.cost.bytes_written)});
    }
  }
  return text;
}

}  // namespace rafter::lab
