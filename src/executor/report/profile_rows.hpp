// The counters of a kernel by source line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rafter::simt::report {

/// The counts of one line, space and kind of access; places that the optimiser duplicated are added up.
struct Row {
  std::string file;
  int line = 0;
  std::string space;
  std::string kind;
  std::uint64_t requests = 0, lanes = 0, bytes = 0, distinct_bytes = 0, sectors = 0, ideal_sectors = 0, wavefronts = 0,
                ideal_wavefronts = 0, contention = 0;
  double share = 0;  ///< fraction of the kernel's shared memory passes, or of its sectors

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
  /// Returns the excess cost of the line in passes; a GPU moves four sectors in the time of a pass. Atomics on one
  /// address of global memory are serialised as well; only the worst case is known.
  double waste() const {
    const double serialised = is_shared() || contention < 2 ? 0 : static_cast<double>(requests * (contention - 1));
    return serialised + (static_cast<double>(traffic()) - static_cast<double>(least_traffic())) / (is_shared() ? 1 : 4);
  }
};

/// Returns the rows of a kernel, sorted by waste, then by traffic.
std::vector<Row> rows_of(const nlohmann::json& counts);

/// Returns advice for a line with excess cost; empty if it has none or its share is negligible.
std::string advice(const Row& row);

}  // namespace rafter::simt::report
