#include "workbench/explain/model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rafter::explain {

namespace {

constexpr double trip_cycles = 600, bytes_of_sector = 32, sectors_at_once = 4, schedulers = 4;

/// Slots of the load and store unit: a request takes one, or one for every four sectors; so does a pass over the banks.
double access_slots(const Facts& facts) {
  double slots = 0;
  for (const AccessFacts& access : facts.accesses) {
    if (access.space == Space::shared) {
      slots += access.passes;
    } else {
      slots += std::max(access.requests, access.sectors / sectors_at_once);
    }
  }
  return slots;
}

/// Loads and stores of local memory, of all warps: arrays, and registers that were spilled. Where ptxas puts those is
/// not known, so they count as often as the part of the code that a warp spends most on; but no instruction there needs
/// more than two, however many ptxas wrote when it unrolled.
double local_requests(const Facts& facts) {
  if (!facts.compiled) return 0;
  const CodeFacts* most = nullptr;
  double arrays = 0;
  for (const CodeFacts& code : facts.compiled->code) {
    arrays += code.times * code.local;
    if (!most || code.times * code.issue > most->times * most->issue) most = &code;
  }
  const double written = facts.compiled->spill_bytes / 4;
  const double spills = most ? std::min(written, 2 * most->issue) * std::max(1.0, most->times) : written;
  return facts.warps() * (arrays + spills);
}

/// Of one warp, where the code was not compiled: a few instructions for every access and every stretch of code.
double guessed_issue(const Facts& facts) {
  double passes = 0, requests = 0;
  for (const PassFacts& pass : facts.passes) passes += pass.warps;
  for (const AccessFacts& access : facts.accesses) requests += access.requests;
  return (4 * passes + 4 * requests) / std::max(facts.warps(), 1.0);
}

double issue_slots(const Facts& facts) {
  if (!facts.compiled || facts.compiled->code.empty()) return guessed_issue(facts);
  double sum = 0;
  for (const CodeFacts& code : facts.compiled->code) sum += code.times * code.issue;
  return sum;
}

double warp_cycles(const Facts& facts) {
  if (!facts.compiled || facts.compiled->code.empty()) return guessed_issue(facts);
  double sum = 0;
  for (const CodeFacts& code : facts.compiled->code) sum += code.times * code.latency;
  return sum;
}

}  // namespace

double imbalance(const Facts& facts, const Gpu& gpu) {
  const double average = facts.blocks / gpu.n_sms;
  return average > 0 ? std::ceil(average) / average : 1;
}

bool block_fits_cache(const Facts& facts, const Gpu& gpu) {
  const Occupancy held = occupancy(needs_of(facts), gpu);
  const double resident = std::clamp(std::ceil(facts.blocks / gpu.n_sms), 1.0, std::max(1.0, double(held.blocks)));
  const double room = gpu.l1_bytes - resident * needs_of(facts).shared_bytes;
  return resident * facts.footprint.lines_per_block * 128 <= room;
}

double fetched_sectors(const Facts& facts, const Gpu& gpu) {
  double loads = 0;
  for (const AccessFacts& access : facts.accesses) {
    if (access.space == Space::global && access.kind == Access::load) loads += access.sectors;
  }
  const Footprint& f = facts.footprint;
  return std::min(loads, block_fits_cache(facts, gpu) ? f.block_read_sectors : f.fetched_sectors);
}

double l2_sectors(const Facts& facts, const Gpu& gpu) {
  double others = 0;
  for (const AccessFacts& access : facts.accesses) {
    if (access.space == Space::global && access.kind != Access::load) others += access.sectors;
  }
  return others + fetched_sectors(facts, gpu);
}

double Estimate::work_ns() const {
  return std::max({memory_ns, cache_ns, access_ns, atomics_ns, issue_ns, latency_ns, starts_ns});
}

Part Estimate::longest() const {
  const std::array<std::pair<double, Part>, 7> all{{{memory_ns, Part::memory},
                                                    {cache_ns, Part::cache},
                                                    {access_ns, Part::access},
                                                    {atomics_ns, Part::atomics},
                                                    {issue_ns, Part::issue},
                                                    {latency_ns, Part::latency},
                                                    {starts_ns, Part::starts}}};
  return std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; })
      ->second;
}

Estimate estimate(const Facts& facts, const Gpu& gpu, Spread spread) {
  Estimate made;
  made.launch_ns = gpu.launch_ns;
  const double uneven = spread == Spread::even ? 1 : imbalance(facts, gpu);
  const Occupancy held = occupancy(needs_of(facts), gpu);
  const double at_once = gpu.n_sms * std::max(1.0, double(held.blocks)), waves = facts.blocks / at_once;
  const double local = local_requests(facts);
  const double resident = gpu.n_sms > 0 ? std::min(facts.blocks / gpu.n_sms, double(held.blocks)) : 1;
  const double frames = facts.compiled ? resident * facts.threads_per_block() * facts.compiled->stack_bytes : 0;
  const double local_to_l2 = frames > gpu.l1_bytes ? local * (1 - gpu.l1_bytes / frames) : 0;
  const double to_l2 = (l2_sectors(facts, gpu) + sectors_at_once * local_to_l2) * bytes_of_sector;
  made.memory_ns = facts.footprint.sectors() * bytes_of_sector / gpu.dram_bytes_per_ns;
  // A multiprocessor takes 64 bytes from the L2 in a cycle, so that few of them cannot use all of its bandwidth.
  made.cache_ns = std::max(to_l2 / gpu.l2_bytes_per_ns, gpu.ns(to_l2 / 64 / gpu.n_sms * uneven));
  made.access_ns = gpu.ns((access_slots(facts) + local) / gpu.n_sms * uneven);
  made.atomics_ns = facts.hottest_atomics * gpu.atomic_ns;
  made.starts_ns = facts.blocks * gpu.block_ns;
  made.issue_ns = gpu.ns((facts.warps() * issue_slots(facts) + 2 * local) / schedulers / gpu.n_sms * uneven);
  // Work can be divided among more threads, but none is shorter than a trip to memory.
  const double warp = warp_cycles(facts), least = std::min(warp, trip_cycles);
  made.latency_ns = gpu.ns(spread == Spread::even ? std::max(warp * waves, least) : warp * std::ceil(waves));
  return made;
}

double estimate_ns(const CopyFacts& copy, const Gpu& gpu) {
  return copy.copies * gpu.copy_ns + copy.bytes / (copy.pageable ? gpu.pageable_bytes_per_ns : gpu.pinned_bytes_per_ns);
}

}  // namespace rafter::explain
