// What limits a kernel: everything that could be removed, by what removing it is worth.
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
  registers,      ///< few warps, because of them
  shared_memory,  ///< likewise
  few_blocks,
  few_threads,  ///< all multiprocessors have a block, but few warps
  tail_wave,
  many_blocks,  ///< short ones
  launch,
  chain,         ///< each instruction waits for the one before
  load_latency,  ///< few loads under way
  wide_division,
  barriers,
  rereads,       ///< the caches are asked for the same again and again
  copies,        ///< of a program
  memory_floor,  ///< nothing left but fewer bytes
  instructions,  ///< the schedulers are busy
  several,       ///< parts that are about equal
  stage,         ///< of a composite workload: the largest
  above_floor,   ///< measured, and nothing else is known
  cold_caches,
  cache,  ///< the L2
  other_floor,
};
const char* name(Cause cause) noexcept;  ///< "bank conflicts"

struct Finding {
  Cause cause = Cause::memory_floor;
  std::string sentence{};  ///< what limits, with the evidence
  double worth = 1;        ///< how many times faster without, by the model
  double at_most = 1;      ///< what no fix can exceed: the whole launch over its floor
  std::string idea{};      ///< what to try next
  std::string shown_by{};  ///< who does it: "rafter show transpose padded_tile"
  SourceLine at{};         ///< line 0: no one line
};

struct Diagnosis {
  std::string kernel{};
  std::vector<Finding> findings{};  ///< never empty; what limits first
  Estimate estimate{};
  Occupancy occupancy{};

  const Finding& first() const { return findings.front(); }
};

Diagnosis diagnose(const Facts& facts, const Gpu& gpu);

struct ProgramDiagnosis {
  std::vector<Finding> findings{};   ///< of the program as a whole; empty: its kernels are what counts
  std::vector<Diagnosis> kernels{};  ///< heaviest first
  std::vector<double> shares{};      ///< of the program's time on the GPU, copies among it, by kernel
  double copies_ns = 0, launches_ns = 0, work_ns = 0;
};

ProgramDiagnosis diagnose(const ProgramFacts& facts, const Gpu& gpu);

}  // namespace rafter::explain
