// rafter run, list, show, device and tune: the workbench over any set of workloads.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/tool.hpp"
#include "lab/workload/workload.hpp"

namespace rafter::cli {

using Workloads = std::vector<const lab::Workload*>;

/// What draws for `run --plot`. Programs that do not draw have none, and need not be built with what draws.
struct Plotter {
  /// Throws Error unless a picture can be drawn into that file; asked before anything is measured.
  std::function<void(const std::string& path)> require;
  /// From what the results file holds.
  std::function<void(const std::string& path, const nlohmann::json& results)> draw;
};

/// The source of a rung (lab::source_of), which programs that have no workloads of ours do not have.
using SourceOf = std::string_view (*)(const lab::Rung& rung);

int run(const RunOptions& options, const Workloads& workloads, const Plotter* plotter = nullptr,
        SourceOf source_of = nullptr);
int list(const ListOptions& options, const Workloads& workloads);
int show(const ShowOptions& options, const Workloads& workloads);
int device(const DeviceOptions& options);
/// Of our ops; kernels of others are tuned by another program.
int tune(const TuneOptions& options, const Workloads& workloads);

/// All five.
Perform run_commands(const Workloads& workloads);

}  // namespace rafter::cli
