// --load: workloads in folders of their own, in place of those in the program.
#pragma once

#include "cli/options.hpp"
#include "workbench/family/load.hpp"

namespace rafter::cli {

/// Builds and loads what a command names; throws Error that says what is wrong with it.
family::Loaded loaded(const std::vector<std::string>& folders, family::Flavour flavour = family::Flavour::machine);

/// Of a run, for its device.
family::Loaded loaded(const RunOptions& options);

}  // namespace rafter::cli
