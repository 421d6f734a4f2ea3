#include "executor/report/profile_rows.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace rafter::simt::report {

using nlohmann::json;

namespace {

void add(Row& row, const json& c) {
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

void set_shares(std::vector<Row>& rows) {
  std::map<bool, std::uint64_t> sums;  // of shared memory and of all other spaces
  for (const Row& row : rows) sums[row.is_shared()] += row.traffic();
  for (Row& row : rows)
    row.share =
        static_cast<double>(row.traffic()) / static_cast<double>(std::max<std::uint64_t>(sums[row.is_shared()], 1));
}

}  // namespace

std::vector<Row> rows_of(const json& counts) {
  std::map<std::tuple<std::string, int, std::string, std::string>, Row> by_line;
  for (const json& c : counts["places"]) {
    const json& place = c["place"];
    const bool known = place.is_object() && place.contains("file");
    const std::string file = known ? place["file"].get<std::string>() : "?";
    const int line = known ? place["line"].get<int>() : 0;
    Row& row = by_line[{file, line, c["space"], c["kind"]}];
    row.file = file;
    row.line = line;
    row.space = c["space"];
    row.kind = c["kind"];
    add(row, c);
  }
  std::vector<Row> rows;
  for (auto& [key, row] : by_line) rows.push_back(std::move(row));
  set_shares(rows);
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::tuple(-a.waste(), -a.share) < std::tuple(-b.waste(), -b.share);
  });
  return rows;
}

std::string advice(const Row& row) {
  constexpr double little = 0.02, much_over = 1.5, somewhat_over = 1.1, few_lanes = 16;
  if (row.share < little) return "";
  const double lanes = row.per_request(row.lanes), over = row.over_ideal();
  if (row.is_atomic() && row.contention > 1 && (over >= much_over || row.contention > 2)) {
    return fmt::format(
        "Up to {} lanes of a warp update one address and are serialised: reduce within the warp first "
        "(__shfl_down_sync), "
        "or keep {}.",
        row.contention, row.is_shared() ? "several copies" : "a sum for each block in shared memory");
  }
  if (row.is_shared() && over >= much_over) {
    return fmt::format(
        "Bank conflicts: about {:.0f} lanes access one bank and are serialised. Pad rows by one element, as in "
        "tile[32][33].",
        over);
  }
  const bool is_apart = row.moved() >= 0.9 * lanes;
  if (!row.is_shared() && over >= much_over && (is_apart || lanes > few_lanes)) {
    return fmt::format(
        "{}: let adjacent threads access adjacent elements. For structures, use an array for each member; for "
        "columns, a tile in shared memory.",
        is_apart ? "Each thread accesses a sector of its own and uses little of it"
                 : "There are gaps between the bytes of the threads, which are moved but not used");
  }
  if (lanes <= few_lanes && row.share > 0.1) {
    return fmt::format(
        "{:.0f} of 32 lanes are active: let whole warps take the same side of a branch, or give the idle lanes "
        "work.",
        lanes);
  }
  if (!row.is_shared() && over > somewhat_over)
    return "Requests are not aligned to sectors and move one more: start rows at multiples of 32 bytes.";
  return "";
}

}  // namespace rafter::simt::report
