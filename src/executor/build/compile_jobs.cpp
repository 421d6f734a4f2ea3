#include "executor/build/compile_jobs.hpp"

#include <algorithm>
#include <span>

namespace rafter::simt::build {

namespace fs = std::filesystem;

namespace {

/// Returns the compilation of one side to assembly. Only the host's writes a list of dependencies.
Compilation of_side(const Compilation& whole, Side side, const fs::path& assembly) {
  Compilation result{whole.source, assembly, {"-S"}};
  if (side == Side::host) {
    result.actions = whole.actions;
    std::replace(result.actions.begin(), result.actions.end(), std::string("-c"), std::string("-S"));
    // The compiler would name its own output as the target.
    if (whole.actions.size() > 1) result.actions.insert(result.actions.end(), {"-MT", whole.object.string()});
  }
  // Each variable has a symbol of its own, which the other side can refer to: none is common or relative to an anchor.
  result.actions.insert(result.actions.end(), {"-fdata-sections", "-fno-section-anchors", "-fno-lto"});
  return result;
}

bool makes_object(const Compilation& compilation) {
  return !compilation.object.empty() &&
         std::find(compilation.actions.begin(), compilation.actions.end(), "-c") != compilation.actions.end();
}

/// Runs the commands. Repeats those that failed for reasons that are not the user's.
std::vector<base::Outcome> run_commands(std::vector<base::Command> commands, bool has_lanes) {
  std::vector<base::Outcome> outcomes = base::run_all(commands);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    base::Outcome& outcome = outcomes[i];
    if (outcome.status() != 0 && outcome.output.find("internal compiler error") != std::string::npos) {
      // An internal compiler error, usually in an optimisation (g++ 12 crashes vectorising some fmax reductions).
      commands[i].insert(commands[i].end(), {"-O1", "-fno-tree-vectorize"});
      outcome = base::run_all(std::span<const base::Command>(&commands[i], 1)).front();
    }
    // Only text shows from where a header was included and a template was instantiated.
    if (outcome.status() != 0 && std::erase(commands[i], json_diagnostics) > 0) {
      commands[i].emplace_back("-w");
      outcome = base::run_all(std::span<const base::Command>(&commands[i], 1)).front();
    }
    if (outcome.status() != 0 && has_lanes) {
      // The rewriter works on tokens, not types, so its vectorised form may not compile: fall back to the plain form.
      commands[i].emplace_back("-DRAFTER_SIMT_NO_LANES");
      outcome = base::run_all(std::span<const base::Command>(&commands[i], 1)).front();
    }
  }
  return outcomes;
}

}  // namespace

void CompileJobs::add(const Compilation& compilation) {
  sources_.push_back({compilation, commands_.size(), 1, {}});
  commands_.push_back(command_of_(compilation, Side::both));
}

void CompileJobs::add_sides(const Compilation& compilation) {
  if (!makes_object(compilation)) {
    sources_.push_back({compilation, commands_.size(), 1, {}});
    commands_.push_back(command_of_(compilation, Side::host));
    return;
  }
  const std::string stem = (folder_ / std::to_string(commands_.size())).string();
  const SideFiles assembly{stem + "_host.s", stem + "_device.s"};
  sources_.push_back({compilation, commands_.size(), 2, assembly});
  commands_.push_back(command_of_(of_side(compilation, Side::device, assembly.device), Side::device));
  commands_.push_back(command_of_(of_side(compilation, Side::host, assembly.host), Side::host));
}

bool CompileJobs::run() {
  const std::vector<base::Outcome> outcomes = run_commands(commands_, has_lanes_);
  bool all_succeeded = true;
  for (const Source& source : sources_) {
    // Of two sides, the first that fails reports its errors. The device's warnings are those of device code.
    const std::span<const base::Outcome> all(&outcomes[source.first_job], source.n_jobs);
    const auto bad = std::find_if(all.begin(), all.end(), [](const base::Outcome& one) { return one.status() != 0; });
    output_ += (bad == all.end() ? all.front() : *bad).output;
    all_succeeded = all_succeeded && bad == all.end();
  }
  return all_succeeded;
}

void CompileJobs::combine(const NamesOfSides& names, const CompileOptions& options, const Toolchain& toolchain) const {
  for (const Source& source : sources_) {
    if (source.n_jobs == 2) combine_objects(source.whole, source.assembly, names, options, toolchain);
  }
}

}  // namespace rafter::simt::build
