#include "executor/report/profile_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <vector>

#include "base/csv.hpp"
#include "executor/report/profile_rows.hpp"

namespace rafter::simt::report {
namespace {

using nlohmann::json;

std::string shown(std::uint64_t n) {
  if (n < 100000) return std::to_string(n);
  if (n < 100000000) return fmt::format("{:.1f}k", static_cast<double>(n) / 1e3);
  return fmt::format("{:.1f}M", static_cast<double>(n) / 1e6);
}

std::string basename(const std::string& file) { return file.substr(file.rfind('/') + 1); }

std::string cost(const Row& row) {
  return fmt::format("{:.2f} / {:.2f} {}", row.moved(), row.ideal(), row.is_shared() ? "passes" : "sectors");
}

std::string paint(base::Style style, const char* code, const std::string& text) {
  return style == base::Style::coloured ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

constexpr const char* bold = "1";
constexpr const char* red = "31";
constexpr const char* yellow = "33";

/// One line of the table.
struct Cells {
  std::string place, access, requests, lanes, per_request, share, at_one;

  explicit Cells(const Row& row)
      : place(fmt::format("{}:{}", basename(row.file), row.line)),
        access(row.space + " " + row.kind),
        requests(shown(row.requests)),
        lanes(fmt::format("{:.1f}", row.per_request(row.lanes))),
        per_request(cost(row)),
        share(fmt::format("{:.0f} %", 100 * row.share)),
        at_one(row.contention ? std::to_string(row.contention) : "") {}
  /// The column headings; the last column is for atomics.
  explicit Cells(bool has_atomics)
      : place("line"),
        access("access"),
        requests("requests"),
        lanes("lanes"),
        per_request("per request / ideal"),
        share("share"),
        at_one(has_atomics ? "at one" : "") {}

  /// Returns the line; a place that is wider than its column gets a line of its own.
  std::string text(std::size_t width) const {
    const bool is_wide = place.size() > width;
    return (is_wide ? "  " + place + "\n" : "") +
           fmt::format("  {:<{}}  {:<13} {:>9} {:>6} {:>23} {:>6}", is_wide ? "" : place, width, access, requests,
                       lanes, per_request, share) +
           (at_one.empty() ? "" : fmt::format(" {:>7}", at_one));
  }
};

/// Returns the table of source lines, worst first, with advice after each line or group of lines.
std::string lines_text(const std::vector<Row>& rows, base::Style style) {
  constexpr double bad = 2;
  constexpr std::size_t widest = 24, all_columns = 96;  // `rafter try` indents the table further
  std::size_t width = 12;
  bool has_atomics = false;
  for (const Row& row : rows) {
    if (const std::size_t n = Cells(row).place.size(); n <= widest) width = std::max(width, n);
    has_atomics = has_atomics || row.contention > 0;
  }
  std::string text = Cells(has_atomics).text(width) + "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string what_to_do = advice(rows[i]), counts = Cells(rows[i]).text(width);
    const char* colour = rows[i].over_ideal() >= bad ? red : yellow;
    text += (what_to_do.empty() ? counts : paint(style, colour, counts)) + "\n";
    const bool is_repeated_below = i + 1 < rows.size() && advice(rows[i + 1]) == what_to_do;
    if (!what_to_do.empty() && !is_repeated_below) text += base::wrapped(what_to_do, "      ", "      ", all_columns);
  }
  return text;
}

std::string table(const std::string& kernel, const json& counts, base::Style style) {
  const std::vector<Row> rows = rows_of(counts);
  std::string text = fmt::format("{}: {} launch{}\n", paint(style, bold, kernel),
                                 counts["launches"].get<std::uint64_t>(), counts["launches"] == 1 ? "" : "es");
  text += lines_text(rows, style);
  std::uint64_t asked = 0, distinct = 0, moved = 0;
  for (const Row& row : rows) {
    if (!row.is_global()) continue;
    asked += row.bytes;
    distinct += row.distinct_bytes;
    moved += row.sectors * 32;
  }
  if (moved > 0) {
    const std::string shared = asked > distinct ? fmt::format(" ({} distinct)", shown(distinct)) : "";
    text += fmt::format("  global memory: {} bytes requested{}, {} moved ({:.0f} % used)\n", shown(asked), shared,
                        shown(moved), 100.0 * static_cast<double>(distinct) / static_cast<double>(moved));
  }
  std::uint64_t arrivals = 0;
  for (const json& barrier : counts["barriers"]) arrivals += barrier["arrivals"].get<std::uint64_t>();
  if (arrivals) text += fmt::format("  barriers: {} thread arrivals\n", shown(arrivals));
  if (const auto hottest = counts["hottest_atomics"].get<std::uint64_t>()) {
    text += fmt::format("  atomics: at most {} on one address in a launch\n", shown(hottest));
  }
  return text;
}

}  // namespace

std::string profile_tables(const json& report, base::Style style) {
  std::string text;
  if (!report.contains("counts")) return text;
  for (const auto& [kernel, counts] : report["counts"].items()) text += table(kernel, counts, style) + "\n";
  if (!text.empty()) {
    text +=
        "The worst lines come first. sectors: 32-byte sectors of global memory (cluster: of other blocks'\n"
        "shared memory) per request of a warp; passes: over the banks of shared memory; lanes: active lanes\n"
        "per request; share: of the kernel's sectors, or passes; at one: the most lanes of a request\n"
        "with atomics on one address\n";
  }
  return text;
}

std::string profile_csv(const json& report) {
  std::string text =
      base::csv_line({"kernel", "file", "line", "space", "access", "requests", "lanes", "bytes", "distinct_bytes",
                      "sectors", "ideal_sectors", "passes", "ideal_passes", "share", "most_at_one_address", "advice"});
  const json counted = report.value("counts", json::object());
  for (const auto& [kernel, counts] : counted.items()) {
    for (const Row& row : rows_of(counts))
      text +=
          base::csv_line({kernel, row.file, std::to_string(row.line), row.space, row.kind, std::to_string(row.requests),
                          std::to_string(row.lanes), std::to_string(row.bytes), std::to_string(row.distinct_bytes),
                          std::to_string(row.sectors), std::to_string(row.ideal_sectors),
                          std::to_string(row.wavefronts), std::to_string(row.ideal_wavefronts),
                          fmt::format("{:.4f}", row.share), std::to_string(row.contention), advice(row)});
  }
  return text;
}

std::string annotated_sources(const json& report) {
  std::map<std::string, std::map<int, std::string>> notes;  // file -> line -> counts
  if (!report.contains("counts")) return "";
  for (const auto& [kernel, counts] : report["counts"].items()) {
    for (const Row& row : rows_of(counts)) {
      if (row.line == 0) continue;
      std::string& note = notes[row.file][row.line];
      note += fmt::format("{}{} {}: {}, {:.0f} lanes", note.empty() ? "" : "; ", row.space, row.kind, cost(row),
                          row.per_request(row.lanes));
    }
  }
  std::string text;
  constexpr int context = 2;
  for (const auto& [file, lines] : notes) {
    text += file + "\n";
    std::ifstream input(file);
    int number = 0, last_shown = 0;
    for (std::string line; std::getline(input, line);) {
      ++number;
      const auto near = lines.lower_bound(number - context);
      if (near == lines.end() || near->first > number + context) continue;
      if (last_shown && number > last_shown + 1) text += "      ...\n";
      last_shown = number;
      text += fmt::format("{:>5} | {}\n", number, line);
      if (const auto note = lines.find(number); note != lines.end()) text += fmt::format("      ^ {}\n", note->second);
    }
    text += "\n";
  }
  return text;
}

}  // namespace rafter::simt::report
