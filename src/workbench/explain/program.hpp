// The facts of a user program or kernel: counted on the executor, compiled by nvcc, counted by Nsight Compute.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/process.hpp"
#include "executor/command/plan.hpp"
#include "workbench/explain/facts.hpp"
#include "workbench/explain/gpu.hpp"
#include "workbench/explain/screen.hpp"

namespace rafter::explain {

/// The counts of a run on the executor.
struct CountedRun {
  nlohmann::json report;
  base::Outcome ended;
  std::int64_t sample;  ///< The number of blocks of each launch that ran; 0: all.
};

/// Parses the number of blocks of --blocks: "all" is 0. An empty text means a few blocks for a bare kernel, whose
/// results do not matter, and all blocks for a program. Throws Error (bad_argument).
std::int64_t parse_blocks(const std::string& text, bool is_bare_kernel);

/// Builds the program with a hook in every basic block, runs it and returns its counts. `may_choose`: a sample that
/// runs quickly is enlarged, and one that fails is replaced by a run of all blocks. Throws Error if nothing was
/// counted.
CountedRun count_program(const simt::command::ProgramPlan& plan, bool may_choose, const std::filesystem::path& scratch);

struct ProgramKnowledge {
  ProgramFacts facts;
  Sources sources;
};

/// Collects the facts of a counted run. `times`: a results file with times on a GPU, or null.
ProgramKnowledge collect_facts(const simt::command::ProgramRequest& request, const CountedRun& counted, const Gpu& gpu,
                               const nlohmann::json& times, const std::filesystem::path& scratch);

}  // namespace rafter::explain
