// Finds what limits a kernel: all causes that could be removed, ranked by what removing them is worth.
#pragma once

#include <string>
#include <vector>

#include "workbench/explain/facts.hpp"
#include "workbench/explain/gpu.hpp"
#include "workbench/explain/model.hpp"

namespace rafter::explain {

enum class Cause {
  uncoalesced,
  power_of_two_stride,
  misaligned,
  bank_conflicts,
  one_address_atomics,
  divergence,
  spills,
  registers,      ///< few warps because of registers
  shared_memory,  ///< few warps because of shared memory
  few_blocks,
  few_threads,  ///< all multiprocessors have a block, but few warps
  tail_wave,
  many_blocks,  ///< many short blocks
  launch,
  chain,         ///< each instruction waits for the previous one
  load_latency,  ///< few loads in flight
  wide_division,
  barriers,
  rereads,       ///< the caches serve the same data repeatedly
  copies,        ///< copies of a program
  memory_floor,  ///< only fewer bytes would help
  instructions,  ///< the schedulers are busy
  several,       ///< several parts take about equal times
  stage,         ///< the largest stage of a composite workload
  above_floor,   ///< only the measured time is known
  cold_caches,
  cache,  ///< the L2 cache
  other_floor,
};
const char* name(Cause cause) noexcept;  ///< "bank conflicts"

struct Finding {
  Cause cause = Cause::memory_floor;
  std::string sentence{};       ///< the cause with its evidence
  double worth = 1;             ///< speedup without the cause, by the model
  double at_most = 1;           ///< upper bound of any fix: the whole launch over its floor
  bool by_arithmetic = false;   ///< the floor is that of its additions and multiplications
  bool by_bytes_alone = false;  ///< the code was not compiled: the floor lacks its arithmetic
  std::string idea{};           ///< the next thing to try
  std::string shown_by{};       ///< a rung that does it: "transpose padded_tile"
  SourceLine at{};              ///< line 0: no single line
};

struct Diagnosis {
  std::string kernel{};
  std::vector<Finding> findings{};  ///< never empty; the limiting cause first
  Estimate estimate{};
  Occupancy occupancy{};

  const Finding& first() const { return findings.front(); }
};

Diagnosis diagnose(const Facts& facts, const Gpu& gpu);

struct ProgramDiagnosis {
  std::vector<Finding> findings{};   ///< findings on the program as a whole; empty: its kernels dominate
  std::vector<Diagnosis> kernels{};  ///< heaviest first
  std::vector<double> shares{};      ///< share of the program's GPU time, including copies, by kernel
  double copies_ns = 0, launches_ns = 0, work_ns = 0;
};

ProgramDiagnosis diagnose(const ProgramFacts& facts, const Gpu& gpu);

}  // namespace rafter::explain
