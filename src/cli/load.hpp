// --load: workloads from folders, in place of those in the program.
#pragma once

#include "cli/run/commands.hpp"
#include "workbench/family/load.hpp"

namespace rafter::cli {

/// Builds and loads folders. Throws Error that says what is wrong with one.
family::Loaded load(const std::vector<std::string>& folders, family::Flavour flavour = family::Flavour::machine);

/// Loads the folders of a run for its device.
Catalogue load(const RunOptions& options);

}  // namespace rafter::cli
