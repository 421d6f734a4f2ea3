#include "workbench/compare/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/csv.hpp"
#include "base/units.hpp"

namespace rafter::compare {

namespace {

using lab::Verdict;

/// Counts are exact, so that any difference is one.
std::string verdict_of_counts(double before, double after) {
  return after < before ? "FEWER BYTES" : after > before ? "MORE BYTES" : "SAME BYTES";
}

std::string verdict_of(const ComparedRung& rung) {
  if (rung.is_newly_wrong()) return "WRONG NOW";
  if (!rung.before.is_verified) return rung.after.is_verified ? "RIGHT NOW" : "WRONG";
  if (rung.is_counted()) return verdict_of_counts(rung.before.bytes_moved, rung.after.bytes_moved);
  return name(rung.versus.verdict);
}

std::string coloured(const std::string& word, base::Style style) {
  if (style == base::Style::plain) return word;
  const bool is_bad = word == "SLOWER" || word.starts_with("WRONG") || word == "MORE BYTES";
  const bool is_good = word == "FASTER" || word == "RIGHT NOW" || word == "FEWER BYTES";
  return is_bad ? "\033[31m" + word + "\033[0m" : is_good ? "\033[32m" + word + "\033[0m" : word;
}

std::string time_of(double ns) { return ns > 0 ? base::show_time(ns) : "-"; }

void add_missing(std::string& text, const char* where, const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    text += base::wrapped(names[i], fmt::format("only {}: ", where), "  ");
  if (names.size() > most) text += fmt::format("only {}: {} more\n", where, names.size() - most);
}

/// Returns the row of a rung that was counted and not timed: bytes moved, and the model's estimates.
std::string counted_row(const ComparedRung& rung, std::size_t width, base::Style style) {
  const TimedRung &a = rung.before, &b = rung.after;
  const bool is_estimated = a.estimate_ns > 0 && b.estimate_ns > 0 && a.estimate_gpu == b.estimate_gpu;
  return fmt::format("  {:<{}}  {:>12}  {:>9}  {:>6}  {:>11}  {:>8}  {:>6}  {}\n", a.rung, width,
                     base::show_bytes(a.bytes_moved), base::show_bytes(b.bytes_moved),
                     base::show_ratio(b.bytes_moved / a.bytes_moved), time_of(a.estimate_ns), time_of(b.estimate_ns),
                     is_estimated ? base::show_ratio(a.estimate_ns / b.estimate_ns) : "-",
                     coloured(verdict_of(rung), style));
}

std::string counted_head(const ComparedRung& rung, std::size_t width) {
  const std::string gpu = rung.before.estimate_gpu.empty() ? "a GPU" : "an " + rung.before.estimate_gpu;
  return base::wrapped(
             fmt::format("counts of the executor, and the model's estimates for {}: no time was measured", gpu), "  ",
             "  ") +
         fmt::format("  {:<{}}  {:>12}  {:>9}  {:>6}  {:>11}  {:>8}  {:>6}  verdict\n", "rung", width, "moved before",
                     "after", "moves", "est. before", "after", "faster");
}

std::string timed_head(std::size_t width) {
  return fmt::format("  {:<{}}  {:>8}  {:>8}  {:>7}  {:<16}  verdict\n", "rung", width, "before", "after", "faster",
                     "99 %");
}

}  // namespace

std::string table(const Comparison& comparison, base::Style style) {
  std::size_t width = 4;
  for (const ComparedRung& rung : comparison.rungs) width = std::max(width, rung.before.rung.size());
  std::string text, in_case;
  bool in_counts = false;
  for (const ComparedRung& rung : comparison.rungs) {
    const bool is_new_case = rung.before.in_case() != in_case;
    if (is_new_case || rung.is_counted() != in_counts) {
      in_counts = rung.is_counted();
      if (is_new_case) text += (text.empty() ? "" : "\n") + rung.before.in_case() + "\n";
      in_case = rung.before.in_case();
      text += in_counts ? counted_head(rung, width) : timed_head(width);
    }
    if (rung.is_counted()) {
      text += counted_row(rung, width, style);
      continue;
    }
    const lab::Versus& v = rung.versus;
    const bool is_timed = rung.before_ns > 0 && rung.after_ns > 0;
    text += fmt::format("  {:<{}}  {:>8}  {:>8}  {:>7}  {:<16}  {}\n", rung.before.rung, width, time_of(rung.before_ns),
                        time_of(rung.after_ns), is_timed ? base::show_ratio(v.ratio) : "-",
                        is_timed ? fmt::format("{:.3f} .. {:.3f}", v.interval_low, v.interval_high) : "",
                        coloured(verdict_of(rung), style));
    if (rung.is_newly_wrong()) text += base::wrapped(rung.after.detail, "    ", "    ");
  }
  if (!comparison.only_before.empty() || !comparison.only_after.empty()) text += "\n";
  add_missing(text, "before", comparison.only_before);
  add_missing(text, "after", comparison.only_after);
  return text;
}

nlohmann::json to_json(const Comparison& comparison) {
  nlohmann::json rungs = nlohmann::json::array();
  for (const ComparedRung& rung : comparison.rungs) {
    nlohmann::json one{{"workload", rung.before.workload}, {"params", rung.before.params},
                       {"device", rung.before.device},     {"regime", rung.before.regime},
                       {"rung", rung.before.rung},         {"verdict", verdict_of(rung)}};
    if (rung.before_ns > 0 && rung.after_ns > 0) {
      one.update({{"before_ns", rung.before_ns},
                  {"after_ns", rung.after_ns},
                  {"ratio", rung.versus.ratio},
                  {"interval", {rung.versus.interval_low, rung.versus.interval_high}}});
    }
    if (rung.is_counted()) {
      one.update({{"before_bytes_moved", rung.before.bytes_moved},
                  {"after_bytes_moved", rung.after.bytes_moved},
                  {"before_estimate_ns", rung.before.estimate_ns},
                  {"after_estimate_ns", rung.after.estimate_ns}});
    }
    rungs.push_back(one);
  }
  return {{"rungs", rungs},
          {"only_before", comparison.only_before},
          {"only_after", comparison.only_after},
          {"worse", comparison.any_worse()}};
}

std::string to_csv(const Comparison& comparison) {
  std::string text = base::csv_line({"workload", "params", "device", "regime", "rung", "before_ns", "after_ns", "ratio",
                                     "interval_low", "interval_high", "verdict", "before_bytes_moved",
                                     "after_bytes_moved", "before_estimate_ns", "after_estimate_ns"});
  for (const ComparedRung& rung : comparison.rungs) {
    const auto if_counted = [&](double value) { return rung.is_counted() ? fmt::format("{}", value) : ""; };
    const TimedRung& which = rung.before;
    const bool is_timed = rung.before_ns > 0 && rung.after_ns > 0;
    const auto if_timed = [&](double value) { return is_timed ? fmt::format("{}", value) : ""; };
    text += base::csv_line({which.workload, which.params, which.device, which.regime, which.rung,
                            if_timed(rung.before_ns), if_timed(rung.after_ns), if_timed(rung.versus.ratio),
                            if_timed(rung.versus.interval_low), if_timed(rung.versus.interval_high), verdict_of(rung),
                            if_counted(which.bytes_moved), if_counted(rung.after.bytes_moved),
                            if_counted(which.estimate_ns), if_counted(rung.after.estimate_ns)});
  }
  return text;
}

}  // namespace rafter::compare
