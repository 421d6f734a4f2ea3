#include "simt/report/profile_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <vector>

namespace rafter::simt::report {
namespace {

using nlohmann::json;

/// The counts of one line, one space and one kind of access; places that an optimiser copied are added up.
struct Row {
  std::string file;
  int line = 0;
  std::string text;
  std::string space;
  std::string kind;
  std::uint64_t requests = 0, lanes = 0, bytes = 0, distinct_bytes = 0, sectors = 0, ideal_sectors = 0, wavefronts = 0,
                ideal_wavefronts = 0, contention = 0;

  double per_request(std::uint64_t n) const {
    return static_cast<double>(n) / static_cast<double>(std::max<std::uint64_t>(requests, 1));
  }
  bool is_global() const { return space == "global"; }
  bool is_shared() const { return space == "shared"; }
  double moved() const { return per_request(is_shared() ? wavefronts : sectors); }
  double ideal() const { return per_request(is_shared() ? ideal_wavefronts : ideal_sectors); }
};

std::vector<Row> rows_of(const json& counts) {
  std::map<std::tuple<std::string, int, std::string, std::string>, Row> rows;
  for (const json& c : counts["places"]) {
    const json& place = c["place"];
    const bool known = place.is_object() && place.contains("file");
    const std::string file = known ? place["file"].get<std::string>() : "?";
    const int line = known ? place["line"].get<int>() : 0;
    Row& row = rows[{file, line, c["space"], c["kind"]}];
    row.file = file;
    row.line = line;
    row.text = known ? place["text"].get<std::string>() : "";
    row.space = c["space"];
    row.kind = c["kind"];
    row.requests += c["requests"].get<std::uint64_t>();
    row.lanes += c["lanes"].get<std::uint64_t>();
    row.bytes += c["bytes"].get<std::uint64_t>();
    row.distinct_bytes += c["distinct_bytes"].get<std::uint64_t>();
    row.sectors += c["sectors"].get<std::uint64_t>();
    row.ideal_sectors += c["ideal_sectors"].get<std::uint64_t>();
    row.wavefronts += c["wavefronts"].get<std::uint64_t>();
    row.ideal_wavefronts += c["ideal_wavefronts"].get<std::uint64_t>();
    row.contention = std::max(row.contention, c["worst_contention"].get<std::uint64_t>());
  }
  std::vector<Row> all;
  for (auto& [key, row] : rows) all.push_back(std::move(row));
  return all;
}

std::string shown(std::uint64_t n) {
  if (n < 100000) return std::to_string(n);
  if (n < 100000000) return fmt::format("{:.1f}k", static_cast<double>(n) / 1e3);
  return fmt::format("{:.1f}M", static_cast<double>(n) / 1e6);
}

std::string basename(const std::string& file) { return file.substr(file.rfind('/') + 1); }

std::string cost(const Row& row) {
  return fmt::format("{:.2f} / {:.2f} {}", row.moved(), row.ideal(), row.is_shared() ? "passes" : "sectors");
}

std::string table(const std::string& kernel, const json& counts) {
  const std::vector<Row> rows = rows_of(counts);
  std::string text = fmt::format("{}: {} launch{}\n", kernel, counts["launches"].get<std::uint64_t>(),
                                 counts["launches"] == 1 ? "" : "es");
  text += fmt::format("  {:<26} {:<14} {:>9} {:>11} {:>24} {:>7}\n", "line", "access", "requests", "lanes",
                      "per request / ideal", "at one");
  std::uint64_t asked = 0, distinct = 0, moved = 0;
  for (const Row& row : rows) {
    if (row.is_global()) {
      asked += row.bytes;
      distinct += row.distinct_bytes;
      moved += row.sectors * 32;
    }
    std::string line = fmt::format("{}:{}", basename(row.file), row.line);
    if (line.size() > 26) line = ".." + line.substr(line.size() - 24);
    text += fmt::format("  {:<26} {:<14} {:>9} {:>11.1f} {:>24} {:>7}\n", line, row.space + " " + row.kind,
                        shown(row.requests), row.per_request(row.lanes), cost(row),
                        row.contention ? std::to_string(row.contention) : "");
  }
  if (moved > 0) {
    const std::string shared = asked > distinct ? fmt::format(" ({} distinct)", shown(distinct)) : "";
    text += fmt::format("  global memory: {} bytes asked for{}, {} moved ({:.0f} % used)\n", shown(asked), shared,
                        shown(moved), 100.0 * static_cast<double>(distinct) / static_cast<double>(moved));
  }
  std::uint64_t arrivals = 0;
  for (const json& barrier : counts["barriers"]) arrivals += barrier["arrivals"].get<std::uint64_t>();
  if (arrivals) text += fmt::format("  barriers: {} arrivals of threads\n", shown(arrivals));
  if (const auto hottest = counts["hottest_atomics"].get<std::uint64_t>()) {
    text += fmt::format("  atomics: at most {} on one address in a launch\n", shown(hottest));
  }
  return text;
}

}  // namespace

std::string profile_tables(const json& report) {
  std::string text;
  if (!report.contains("counts")) return text;
  for (const auto& [kernel, counts] : report["counts"].items()) text += table(kernel, counts) + "\n";
  if (!text.empty()) {
    text +=
        "sectors: 32-byte pieces of global memory (cluster: of other blocks' shared memory) per\n"
        "request of a warp; passes: over the banks of shared memory; lanes: active ones per request;\n"
        "at one: most lanes of a request whose atomic meets at one address\n";
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
