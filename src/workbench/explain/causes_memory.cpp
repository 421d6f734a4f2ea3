// Causes in the counters of memory accesses.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "workbench/explain/causes.hpp"

namespace rafter::explain {

namespace {

constexpr double sector_bytes = 32, much = 1.4, little = 1.05;

bool is_plain_global(const AccessFacts& a) { return a.space == Space::global && a.kind != Access::atomic; }
bool is_consecutive(const AccessFacts& a) {
  return a.stride != 0 && std::abs(static_cast<double>(a.stride)) == a.lane_bytes();
}
bool is_scattered(const AccessFacts& a) { return is_plain_global(a) && a.over_ideal() >= much; }
bool is_strided_by_power(const AccessFacts& a) {
  const auto stride = static_cast<std::uint64_t>(std::abs(a.stride));
  return is_scattered(a) && stride >= 2 * a.lane_bytes() && std::has_single_bit(stride);
}
bool is_shifted(const AccessFacts& a) {
  return is_plain_global(a) && is_consecutive(a) && a.over_ideal() > little && a.over_ideal() < much;
}

const char* verb(const AccessFacts& a) {
  return a.kind == Access::load ? "loads" : a.kind == Access::store ? "stores" : "atomics";
}

/// Returns the line that wastes most among those that `meant` selects, or null.
const AccessFacts* worst(const Facts& facts, const std::function<bool(const AccessFacts&)>& meant) {
  const AccessFacts* found = nullptr;
  const auto waste = [](const AccessFacts& a) {
    return a.space == Space::shared ? a.passes - a.ideal_passes : a.sectors - a.ideal_sectors;
  };
  for (const AccessFacts& a : facts.accesses) {
    if (meant(a) && (!found || waste(a) > waste(*found))) found = &a;
  }
  return found;
}

/// Returns the facts with ideal accesses at the lines that `meant` selects: wasted sectors are neither moved nor
/// touched.
Facts coalesced(Facts facts, const std::function<bool(const AccessFacts&)>& meant) {
  bool loads = false, stores = false;
  double kept = 0, all = 0;
  for (AccessFacts& a : facts.accesses) {
    if (a.space == Space::global && a.kind == Access::load) all += a.sectors;
    if (meant(a)) {
      (a.kind == Access::load ? loads : stores) = true;
      a.sectors = a.ideal_sectors;
    }
    if (a.space == Space::global && a.kind == Access::load) kept += a.sectors;
  }
  Footprint& f = facts.footprint;
  if (loads) {
    f.read_sectors = f.read_bytes / sector_bytes;
    f.block_read_sectors = std::min(f.block_read_sectors, std::max(kept, f.read_sectors));
    f.fetched_sectors = std::min(f.fetched_sectors, std::max(kept, f.read_sectors));
    f.lines_per_block = std::min(f.lines_per_block, f.lines_per_block * kept / std::max(all, 1.0));
  }
  if (stores) f.written_sectors = f.written_bytes / sector_bytes;
  return facts;
}

/// Whether the L1 caches compensate: another request of the block uses the rest of a sector.
bool cache_helps(const Question& q) {
  double ideal = 0;
  for (const AccessFacts& a : q.facts.accesses) {
    if (a.space == Space::global && a.kind == Access::load) ideal += a.ideal_sectors;
  }
  return fetched_sectors(q.facts, q.gpu) <= 1.05 * ideal;
}

/// Returns the ratio of all traffic to the traffic with ideal accesses, without help from caches: an upper bound for
/// the benefit.
double traffic_over(const Question& q, const std::function<bool(const AccessFacts&)>& meant) {
  double now = 0, then = 0;
  const bool helped = cache_helps(q);
  for (const AccessFacts& a : q.facts.accesses) {
    if (a.space != Space::global) continue;
    const double moved = helped && a.kind == Access::load ? std::min(a.sectors, a.ideal_sectors) : a.sectors;
    now += moved;
    then += meant(a) ? a.ideal_sectors : moved;
  }
  const Part longest = q.now.longest();
  const bool counts = longest == Part::memory || longest == Part::cache || longest == Part::access;
  return counts && then > 0 ? now / then : 1;
}

std::string sectors_of(const AccessFacts& a) {
  return fmt::format("{:.3g} sectors of 32 bytes per request where {:.3g} would suffice", a.sectors / a.requests,
                     a.ideal_sectors / a.requests);
}

std::optional<Finding> strided(const Question& q) {
  const AccessFacts* line = worst(q.facts, is_scattered);
  if (!line || !is_strided_by_power(*line)) return std::nullopt;
  Finding made = finding_of(Cause::power_of_two_stride);
  made.at = line->at;
  made.worth = std::max(q.worth(coalesced(q.facts, is_scattered)), traffic_over(q, is_scattered));
  made.sentence =
      fmt::format("Global {} with a stride of a power of two limit it: at {} adjacent lanes are {} bytes apart, {}",
                  verb(*line), place(line->at), std::abs(line->stride), sectors_of(*line));
  return made;
}

std::optional<Finding> uncoalesced(const Question& q) {
  const AccessFacts* line = worst(q.facts, is_scattered);
  if (!line || is_strided_by_power(*line)) return std::nullopt;
  Finding made = finding_of(Cause::uncoalesced);
  made.at = line->at;
  made.worth = std::max(q.worth(coalesced(q.facts, is_scattered)), traffic_over(q, is_scattered));
  const std::string apart =
      line->stride != 0 ? fmt::format("adjacent lanes are {} bytes apart, ", std::abs(line->stride)) : "";
  made.sentence =
      fmt::format("Uncoalesced global {} limit it: at {} {}{}", verb(*line), place(line->at), apart, sectors_of(*line));
  return made;
}

std::optional<Finding> misaligned(const Question& q) {
  // If the caches help, as they do when adjacent elements are read again, loads lose nothing.
  const bool helped = cache_helps(q);
  const auto meant = [helped](const AccessFacts& a) { return is_shifted(a) && !(helped && a.kind == Access::load); };
  const AccessFacts* line = worst(q.facts, meant);
  if (!line) return std::nullopt;
  Finding made = finding_of(Cause::misaligned);
  made.at = line->at;
  made.worth = std::max(q.worth(coalesced(q.facts, meant)), traffic_over(q, meant));
  made.sentence = fmt::format("Misaligned global {} limit it: at {} a warp begins between two sectors, {}", verb(*line),
                              place(line->at), sectors_of(*line));
  return made;
}

std::optional<Finding> bank_conflicts(const Question& q) {
  const auto meant = [](const AccessFacts& a) {
    return a.space == Space::shared && a.over_ideal() >= much && (a.kind != Access::atomic || a.most_at_one < 4);
  };
  const AccessFacts* line = worst(q.facts, meant);
  if (!line) return std::nullopt;
  Facts without = q.facts;
  for (AccessFacts& a : without.accesses) {
    if (meant(a)) a.passes = a.ideal_passes;
  }
  Finding made = finding_of(Cause::bank_conflicts);
  made.at = line->at;
  made.worth = q.worth(without);
  made.sentence = fmt::format(
      "Bank conflicts limit it: at {} about {:.0f} lanes of a warp access one bank of shared "
      "memory and are serialised ({:.3g} passes per request, {:.3g} would suffice)",
      place(line->at), line->over_ideal(), line->passes / line->requests, line->ideal_passes / line->requests);
  return made;
}

std::optional<Finding> one_address(const Question& q) {
  const AccessFacts* line = nullptr;
  for (const AccessFacts& a : q.facts.accesses) {
    const bool meant = a.kind == Access::atomic && (a.space == Space::global || a.most_at_one >= 4);
    if (meant && (!line || a.requests > line->requests)) line = &a;
  }
  if (!line) return std::nullopt;
  Facts without = q.facts;
  without.hottest_atomics /= std::max(q.facts.threads_per_block(), 1.0);
  for (AccessFacts& a : without.accesses) {
    if (a.kind != Access::atomic) continue;
    a.passes = std::min(a.passes, a.ideal_passes);
    a.sectors = std::min(a.sectors, a.ideal_sectors);
  }
  Finding made = finding_of(Cause::one_address_atomics);
  made.at = line->at;
  made.worth = q.worth(without);
  if (line->space == Space::shared) {
    made.sentence = fmt::format(
        "Atomics on one address limit it: at {} up to {:.0f} lanes of a warp update one word of "
        "shared memory and are serialised",
        place(line->at), line->most_at_one);
    made.idea = "keep a copy of the counters in shared memory for each warp, and sum them at the end";
    made.shown_by = "scatter by_shape";
  } else {
    made.sentence = fmt::format(
        "Atomics on one address limit it: {} updates of one word (at {}) are serialised, "
        "about {:.3g} ns each",
        count_text(q.facts.hottest_atomics), place(line->at), q.gpu.atomic_ns);
    if (q.facts.hottest_atomics < 0.5 * line->lanes) {  // one of many
      made.idea = "count in shared memory first, one copy per block, and add it to global memory once";
      made.shown_by = "scatter privatised";
    }
  }
  return made;
}

/// Finds loads that request the same data from the caches many times.
std::optional<Finding> rereads(const Question& q) {
  double loads = 0, requests = 0, scattered = 0;
  const AccessFacts* line = nullptr;
  for (const AccessFacts& a : q.facts.accesses) {
    if (a.space != Space::global || a.kind != Access::load) continue;
    loads += a.sectors;
    scattered += is_scattered(a) ? a.sectors : 0;
    requests += a.requests;
    if (!line || a.requests > line->requests) line = &a;
  }
  const double times = loads / std::max(q.facts.footprint.read_sectors, 1.0);
  if (!line || times < 3 || scattered > loads / 2) return std::nullopt;  // otherwise the scattered accesses come first
  Facts without = q.facts;
  for (AccessFacts& a : without.accesses) {
    if (a.space != Space::global || a.kind != Access::load) continue;
    a.sectors /= times;
    a.ideal_sectors /= times;
    a.requests = std::max(a.requests / times, a.sectors / 4);
  }
  without.footprint.block_read_sectors = std::min(q.facts.footprint.block_read_sectors, loads / times);
  without.footprint.fetched_sectors = std::min(q.facts.footprint.fetched_sectors, loads / times);
  Finding made = finding_of(Cause::rereads);
  made.at = line->at;
  made.worth = q.worth(without);
  made.sentence = fmt::format(
      "Loading the same data again limits it: each sector is loaded {:.0f} times (mostly at {}), "
      "{} warp requests",
      times, place(line->at), count_text(requests));
  return made;
}

}  // namespace

std::vector<CauseCheck> memory_causes() {
  return {strided, uncoalesced, misaligned, bank_conflicts, one_address, rereads};
}

}  // namespace rafter::explain
