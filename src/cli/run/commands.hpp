// rafter run, list, show, device and tune: the workbench over any set of workloads.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/tool.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::cli {

using Workloads = std::vector<const lab::Workload*>;
using Sources = std::vector<lab::EmbeddedSource>;

/// Workloads with the sources of their rungs.
struct Catalogue {
  Workloads workloads{};
  Sources sources{};
};

/// What draws for `run --plot`. Programs that do not draw have none, and need not be built with what draws.
struct Plotter {
  /// Throws Error unless a picture can be drawn into that file; asked before anything is measured.
  std::function<void(const std::string& path)> require;
  /// From what the results file holds.
  std::function<void(const std::string& path, const nlohmann::json& results)> draw;
};

int run(const RunOptions& options, const Workloads& workloads, const Sources& sources,
        const Plotter* plotter = nullptr);
int list(const ListOptions& options, const Workloads& workloads);
int show(const ShowOptions& options, const Workloads& workloads, const Sources& sources);
int device(const DeviceOptions& options);
/// Of our ops; kernels of others are tuned by another program.
int tune(const TuneOptions& options, const Workloads& workloads);

/// All five.
Perform run_commands(const Workloads& workloads, const Sources& sources);

}  // namespace rafter::cli
