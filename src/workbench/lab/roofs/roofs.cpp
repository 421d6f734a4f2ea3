#include "workbench/lab/roofs/roofs.hpp"

#include <algorithm>

namespace rafter::lab {

namespace {

constexpr double beyond_doubt = 2;  // roofs measured on a busy machine may be wrong by this factor

/// The bytes that a cost moves between memory and the device.
struct Moved {
  double read, written, footprint;

  double bytes() const { return read + written; }
  double write_share() const { return bytes() > 0 ? written / bytes() : 0; }
};

Moved moved_by(const Cost& cost, const Roofs& roofs) {
  const RandomReads& random = cost.random_reads;
  const double sectors = std::max(0., random.bytes_moved(roofs.sector_bytes) - random.bytes_asked());
  const Moved moved{cost.bytes_read + sectors, cost.bytes_written, 0};
  const double footprint = cost.footprint_bytes > 0 ? std::min(cost.footprint_bytes, moved.bytes()) : moved.bytes();
  return {moved.read, moved.written, footprint};
}

double memory_ns(const Moved& moved, const Roofs& roofs, CacheState state) {
  if (moved.bytes() <= 0) return 0;
  const double rate = roofs.bandwidth.rate(moved.footprint, moved.write_share());
  const bool is_kept = moved.footprint <= 2 * roofs.cache_bytes;
  const double again = is_kept ? std::max(rate, roofs.cache_bytes_per_s) : rate;
  const double first = state == CacheState::cold ? rate : again;
  return 1e9 * (moved.footprint / first + (moved.bytes() - moved.footprint) / again);
}

double arithmetic_ns(const Cost& cost, const Roofs& roofs, Unit unit) {
  const double rate = roofs.operations_per_s[unit];
  return rate > 0 ? 1e9 * cost.operations[unit] / rate : 0;
}

}  // namespace

Floor floor_of(const Cost& cost, const Roofs& roofs, CacheState state) {
  const Moved moved = moved_by(cost, roofs);
  const bool sectors_matter = moved.bytes() > 1.05 * cost.bytes();
  Floor floor{memory_ns(moved, roofs, state), sectors_matter ? Floor::Limit::sectors : Floor::Limit::memory};
  for (const Unit unit : all_units) {
    const double ns = arithmetic_ns(cost, roofs, unit);
    if (ns > floor.ns) floor = {ns, Floor::Limit::arithmetic, unit};
  }
  const double launch_ns = cost.launches * roofs.launch_ns;
  if (launch_ns > floor.ns) floor = {launch_ns, Floor::Limit::launch};
  return floor;
}

double impossible_below_ns(const Cost& cost, const Roofs& roofs) {
  const double fastest = std::max(roofs.cache_bytes_per_s, roofs.bandwidth.best());
  const double bytes = cost.footprint_bytes > 0 ? std::min(cost.footprint_bytes, cost.bytes()) : cost.bytes();
  double ns = std::max(1e9 * bytes / fastest, cost.launches * roofs.launch_ns);
  for (const Unit unit : all_units) ns = std::max(ns, arithmetic_ns(cost, roofs, unit));
  return ns / beyond_doubt;
}

const char* name(const Floor& floor) noexcept {
  switch (floor.limit) {
    case Floor::Limit::memory: return "memory";
    case Floor::Limit::sectors: return "memory, sectors";
    case Floor::Limit::arithmetic: return name(floor.unit);
    case Floor::Limit::launch: return "launch";
  }
  return "";
}

}  // namespace rafter::lab
