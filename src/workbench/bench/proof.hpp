// A look at kernels on the executor before they are timed, with small sizes: the checker sees where the values that a
// call uses come from, which a GPU does not show.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "workbench/bench/verify.hpp"

namespace rafter::bench {

/// The conclusions from what the executor saw.
struct Proof {
  Rejected rejected{};                ///< Kernels that build on what a call may not build on.
  std::vector<std::string> proved{};  ///< Kernels that are right and use only their arguments.
  std::string notes{};                ///< Why the others were not looked at; lines.
};

/// Returns the plan with its first sizes, the largest of them halved until the arrays have at most 2 MB; nothing if
/// that is not possible.
std::optional<KernelPlan> small_plan(const KernelPlan& plan);

/// Whether the verification on the plan's device leaves something to prove: on a GPU, and on the executor for sizes
/// that take it long.
bool needs_proof(const BenchPlan& plan);

/// A combination of a tuning, and the compiler options that define its macros.
struct Combination {
  std::string name;
  std::vector<std::string> macros;
};

/// Builds the kernels, or one combination, for the executor in `scratch` and runs the small plan. `start` starts the
/// child processes.
Proof prove(const BenchPlan& plan, const std::filesystem::path& scratch, const StartChild& start,
            const std::optional<Combination>& combination = std::nullopt);

/// Divides the verdicts of the small case, which `sizes` describes.
Proof sort_verdicts(const std::map<std::string, KernelVerdict>& verdicts, const std::string& sizes);

/// Marks the proved rungs of a workload.
void trust(lab::Workload& workload, const std::vector<std::string>& proved);

}  // namespace rafter::bench
