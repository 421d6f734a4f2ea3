#include "workbench/explain/model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rafter::explain {

namespace {

constexpr double trip_cycles = 600, bytes_of_sector = 32, sectors_at_once = 4, schedulers = 4;

/// Returns the slots of the load and store units: one per request, or one for every four sectors; one per pass over the
/// banks.
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

/// Returns the local-memory accesses of all warps: arrays and spilled registers. The position of spills is unknown, so
/// they count as often as the most expensive part of the code; but at most two per instruction there, however many
/// ptxas emitted when it unrolled.
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

/// Estimates the slots of one warp if the code was not compiled: a few instructions per access and per line.
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

constexpr int warp = 32, register_unit = 256, shared_unit = 128;

int rounded_up(int n, int unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

Occupancy occupancy(const BlockNeeds& needs, const Gpu& gpu) {
  const int warps = rounded_up(std::max(needs.threads, 1), warp) / warp;
  const int most_warps = gpu.threads_per_sm / warp;
  Occupancy found{std::min(most_warps / warps, gpu.blocks_per_sm), 0, Limiter::threads};
  if (gpu.blocks_per_sm < most_warps / warps) found.limiter = Limiter::blocks;
  // Each quarter of the register file serves whole warps.
  const int of_warp = rounded_up(std::max(needs.registers, 1) * warp, register_unit);
  const int warps_by_registers = gpu.registers_per_sm / 4 / of_warp * 4;
  if (warps_by_registers / warps < found.blocks) found = {warps_by_registers / warps, 0, Limiter::registers};
  const auto shared = static_cast<int>(needs.shared_bytes) + gpu.reserved_shared_bytes;
  const int by_shared = gpu.shared_bytes_per_sm / rounded_up(std::max(shared, 1), shared_unit);
  if (by_shared < found.blocks) found = {by_shared, 0, Limiter::shared_memory};
  found.share = static_cast<double>(found.blocks * warps) / most_warps;
  return found;
}

BlockNeeds needs_of(const Facts& facts) {
  BlockNeeds needs{static_cast<int>(facts.threads_per_block()), 16, facts.dynamic_shared_bytes};
  if (facts.compiled) {
    needs.registers = facts.compiled->registers;
    needs.shared_bytes += facts.compiled->static_shared_bytes;
  }
  return needs;
}

double imbalance(const Facts& facts, const Gpu& gpu) {
  const double average = facts.blocks / gpu.n_sms;
  return average > 0 ? std::ceil(average) / average : 1;
}

bool block_fits_cache(const Facts& facts, const Gpu& gpu) {
  const Occupancy held = occupancy(needs_of(facts), gpu);
  const double resident = std::clamp(std::ceil(facts.blocks / gpu.n_sms), 1.0, std::max(1.0, double(held.blocks)));
  const double free_bytes = gpu.l1_bytes - resident * needs_of(facts).shared_bytes;
  return resident * facts.footprint.lines_per_block * 128 <= free_bytes;
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
  // A multiprocessor reads 64 bytes from the L2 per cycle, so that few of them cannot use all of its bandwidth.
  made.cache_ns = std::max(to_l2 / gpu.l2_bytes_per_ns, gpu.ns(to_l2 / 64 / gpu.n_sms * uneven));
  made.access_ns = gpu.ns((access_slots(facts) + local) / gpu.n_sms * uneven);
  made.atomics_ns = facts.hottest_atomics * gpu.atomic_ns;
  made.starts_ns = facts.blocks * gpu.block_ns;
  made.issue_ns = gpu.ns((facts.warps() * issue_slots(facts) + 2 * local) / schedulers / gpu.n_sms * uneven);
  // Work can be divided among more threads, but each takes at least one access to memory.
  const double warp = warp_cycles(facts), least = std::min(warp, trip_cycles);
  made.latency_ns = gpu.ns(spread == Spread::even ? std::max(warp * waves, least) : warp * std::ceil(waves));
  return made;
}

double arithmetic_ns(const Facts& facts, const Gpu& gpu) {
  if (!facts.compiled) return 0;
  double slots = 0;
  for (const CodeFacts& code : facts.compiled->code) slots += code.times * (code.fp32 + code.fp64) * code.lanes / 32;
  return gpu.ns(facts.warps() * slots / schedulers / gpu.n_sms);
}

double estimate_ns(const CopyFacts& copy, const Gpu& gpu) {
  return copy.copies * gpu.copy_ns + copy.bytes / (copy.pageable ? gpu.pageable_bytes_per_ns : gpu.pinned_bytes_per_ns);
}

}  // namespace rafter::explain
