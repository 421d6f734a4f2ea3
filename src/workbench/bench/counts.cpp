#include "workbench/bench/counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/terminal.hpp"
#include "base/units.hpp"
#include "executor/report/profile_rows.hpp"
#include "workbench/explain/model.hpp"
#include "workbench/explain/profile.hpp"

namespace rafter::bench {

namespace {

constexpr double sector_bytes = 32;

std::string ratio(double part, double whole) { return whole > 0 ? fmt::format("{:.2f}x", part / whole) : "-"; }

std::string count_text(double n) {
  if (n <= 0) return "-";
  return n < 999.5 ? fmt::format("{:.0f}", n) : base::show_rate(n, "");
}

/// The limit that follows from the counts of a kernel.
std::string limit_of(const KernelCounts& counts, const lab::Cost& least) {
  const double over = counts.bytes_moved / std::max(least.bytes(), 1.);
  std::string text = counts.kernel + ": ";
  if (least.bytes() == 0) {  // the arrays are unknown
    text += fmt::format("of the bytes it moves, it uses {:.0f}%",
                        100 * std::min(1., counts.bytes_asked / std::max(counts.bytes_moved, 1.)));
  } else if (over > 1.05) {
    text += fmt::format(
        "its warps move {:.1f}x the bytes of its arrays: caches have to hold the rest, or it reaches {:.0f}% "
        "of the floor at most",
        over, 100 / over);
  } else {
    text += "its warps move no more than the bytes of its arrays: the floor is in reach";
  }
  if (counts.passes > 1.05 * counts.least_passes && counts.passes > 0)
    text += fmt::format("; bank conflicts make shared memory {:.1f}x slower", counts.passes / counts.least_passes);
  if (counts.contention > 1)
    text += fmt::format("; up to {:.0f} lanes of a warp contend for one address of an atomic", counts.contention);
  if (counts.requests > 0 && counts.lanes / counts.requests < 24)
    text += fmt::format("; {:.0f} of 32 lanes are active when it accesses memory", counts.lanes / counts.requests);
  text += ".";
  if (!counts.advice.empty()) text += fmt::format(" {}: {}", counts.worst_line, counts.advice);
  return text;
}

}  // namespace

const std::string& estimate_gpu() { return explain::gpus().front().name; }

KernelCounts counts_of(const std::string& kernel, const nlohmann::json& report) {
  KernelCounts sum{.kernel = kernel};
  if (!report.contains("counts")) return sum;
  for (const explain::Facts& facts : explain::facts_of(report).kernels)
    sum.estimate_ns += facts.launches * explain::estimate(facts, explain::gpus().front()).total_ns();
  for (const auto& [name, counts] : report["counts"].items()) {
    for (const simt::report::Row& row : simt::report::rows_of(counts)) {
      sum.requests += static_cast<double>(row.requests);
      sum.lanes += static_cast<double>(row.lanes);
      if (row.is_global()) {
        sum.bytes_asked += static_cast<double>(row.bytes);
        sum.bytes_moved += sector_bytes * static_cast<double>(row.sectors);
      } else if (row.is_shared()) {
        sum.passes += static_cast<double>(row.wavefronts);
        sum.least_passes += static_cast<double>(row.ideal_wavefronts);
      }
      if (row.is_atomic()) sum.atomics += static_cast<double>(row.lanes);
      sum.contention = std::max(sum.contention, row.is_atomic() ? static_cast<double>(row.contention) : 0);
      if (sum.advice.empty() && !row.file.empty()) {  // the worst comes first
        sum.worst_line = fmt::format("{}:{}", std::filesystem::path(row.file).filename().string(), row.line);
        sum.advice = simt::report::advice(row);
      }
    }
  }
  return sum;
}

std::string counts_table(const std::vector<KernelCounts>& all, const lab::Cost& least) {
  std::size_t width = 6;
  for (const KernelCounts& counts : all) width = std::max(width, counts.kernel.size());
  std::string text =
      fmt::format("  {:<{}}  {:>11} {:>8} {:>6}  {:>9} {:>8}  {:>9} {:>6} {:>9}\n", "kernel", width, "bytes moved",
                  "x least", "used", "bank pass", "x ideal", "atomics", "lanes", "estimate");
  for (const KernelCounts& counts : all) {
    text +=
        fmt::format("  {:<{}}  {:>11} {:>8} {:>5.0f}%  {:>9} {:>8}  {:>9} {:>6.1f} {:>9}\n", counts.kernel, width,
                    base::show_bytes(counts.bytes_moved), ratio(counts.bytes_moved, least.bytes()),
                    counts.bytes_moved > 0 ? 100 * std::min(1., counts.bytes_asked / counts.bytes_moved) : 0,
                    count_text(counts.passes), ratio(counts.passes, counts.least_passes), count_text(counts.atomics),
                    counts.requests > 0 ? counts.lanes / counts.requests : 0, base::show_time(counts.estimate_ns));
  }
  return text;
}

std::string limit_text(const KernelCounts& counts, const lab::Cost& least) {
  return base::wrapped(limit_of(counts, least), "  ", "    ");
}

void add_counts(nlohmann::json& result, const KernelCounts& counts) {
  result["counts"] = to_json(counts);
  result["counts"].erase("kernel");
  result["estimate"] = {{"gpu", estimate_gpu()}, {"ns", counts.estimate_ns}};
}

nlohmann::json to_json(const KernelCounts& counts) {
  return {{"kernel", counts.kernel},
          {"bytes_asked", counts.bytes_asked},
          {"bytes_moved", counts.bytes_moved},
          {"bank_passes", counts.passes},
          {"least_bank_passes", counts.least_passes},
          {"atomics", counts.atomics},
          {"contention", counts.contention},
          {"requests", counts.requests},
          {"lanes", counts.lanes},
          {"worst_line", counts.worst_line},
          {"advice", counts.advice}};
}

}  // namespace rafter::bench
