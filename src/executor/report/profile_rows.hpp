// What was counted, line by line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rafter::simt::report {

/// The counts of one line, one space and one kind of access; places that an optimiser copied are added up.
struct Row {
  std::string file;
  int line = 0;
  std::string space;
  std::string kind;
  std::uint64_t requests = 0, lanes = 0, bytes = 0, distinct_bytes = 0, sectors = 0, ideal_sectors = 0, wavefronts = 0,
                ideal_wavefronts = 0, contention = 0;
  double share = 0;  ///< of the kernel's passes over shared memory, or of its sectors

  double per_request(std::uint64_t n) const {
    return static_cast<double>(n) / static_cast<double>(std::max<std::uint64_t>(requests, 1));
  }
  bool is_global() const { return space == "global"; }
  bool is_shared() const { return space == "shared"; }
  bool is_atomic() const { return kind == "atomic"; }
  std::uint64_t traffic() const { return is_shared() ? wavefronts : sectors; }
  std::uint64_t least_traffic() const { return is_shared() ? ideal_wavefronts : ideal_sectors; }
  double moved() const { return per_request(traffic()); }
  double ideal() const { return per_request(least_traffic()); }
  double over_ideal() const { return moved() / std::max(ideal(), 1e-9); }
  /// What the line costs more than it must, in passes: a GPU moves four sectors in the time of one. Atomics on global
  /// memory take turns, too, but only the worst case is known.
  double waste() const {
    const double turns = is_shared() || contention < 2 ? 0 : static_cast<double>(requests * (contention - 1));
    return turns + (static_cast<double>(traffic()) - static_cast<double>(least_traffic())) / (is_shared() ? 1 : 4);
  }
};

/// Of a kernel, those first that waste most, then those with most traffic.
std::vector<Row> rows_of(const nlohmann::json& counts);

/// What to do about a line that costs more than it must, in a sentence; empty for one that does not, or hardly counts.
std::string advice(const Row& row);

}  // namespace rafter::simt::report
