#include "workbench/lab/report/checked_table.hpp"

#include <fmt/format.h>

#include "base/terminal.hpp"
#include "workbench/lab/measure/hazards.hpp"

namespace rafter::lab {

namespace {

std::string line_of(std::span<const CaseReport> reports, std::size_t rung) {
  int n_verified = 0, n_refused = 0;
  std::string allowed;
  if (reports.front().rungs[rung].status == Status::absent) return "not in this build\n";
  for (const CaseReport& report : reports) {
    const Measurement& m = report.rungs[rung];
    n_verified += m.status == Status::verified;
    n_refused += m.status == Status::refused;
    if (const std::size_t at = m.reason.find(allowed_words); m.status == Status::verified && at != std::string::npos)
      allowed = m.reason.substr(at);
    if (m.status == Status::verified || m.status == Status::refused) continue;
    const bool is_one_line = m.reason.find('\n') == std::string::npos;  // the executor's report has several lines
    return fmt::format("{} with {}\n{}", name(m.status), report.params.text(),
                       is_one_line ? base::wrapped(m.reason, "    ", "    ") : m.reason + "\n");
  }
  if (!allowed.empty()) {
    const std::string name_column(22, ' ');
    return base::wrapped(fmt::format("{} verified{}", n_verified, allowed), name_column, "    ").substr(22);
  }
  return fmt::format("{} verified, no errors found{}\n", n_verified,
                     n_refused > 0 ? fmt::format("; {} refused", n_refused) : "");
}

}  // namespace

std::string checked_table(std::span<const CaseReport> reports) {
  if (reports.empty()) return "";
  const CaseReport& first = reports.front();
  std::string text =
      fmt::format("{}: {} case{}\n", first.workload->name, reports.size(), reports.size() == 1 ? "" : "s");
  for (std::size_t rung = 0; rung < first.rungs.size(); ++rung) {
    text += fmt::format("  {:<19} {}", first.rungs[rung].rung->name, line_of(reports, rung));
  }
  return text;
}

}  // namespace rafter::lab
