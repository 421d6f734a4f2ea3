// Loads workloads that are not part of the program.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "workbench/family/build.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::family {

/// The loaded workloads and sources. They stay loaded until the program ends.
struct Loaded {
  std::vector<const lab::Workload*> workloads{};
  std::vector<lab::EmbeddedSource> sources{};
};

/// Returns a description of what a contract lacks, or nullopt if it is complete.
std::optional<std::string> missing_part(const lab::Workload& workload);

/// Loads the workloads of folders, which are built first, or of shared objects. Throws Error (io, bad_argument) if one
/// does not build, was built with another version of Rafter, or throws while it is loaded.
Loaded load(const std::vector<std::string>& paths, Flavour flavour, const std::function<void(const std::string&)>& say);

}  // namespace rafter::family
