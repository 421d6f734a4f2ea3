// Workloads that are not part of the program.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "workbench/family/build.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::family {

/// What was loaded stays to the program's end.
struct Loaded {
  std::vector<const lab::Workload*> workloads{};
  std::vector<lab::EmbeddedSource> sources{};
};

/// What a contract lacks that commands rely on, in words; nothing where it is whole.
std::optional<std::string> lack_of(const lab::Workload& workload);

/// The workloads of folders, which are built, or of shared objects that were. Throws Error (io, bad_argument): for what
/// does not build or was built with another Rafter, and for what it throws while it is loaded.
Loaded load(const std::vector<std::string>& paths, Flavour flavour, const std::function<void(const std::string&)>& say);

}  // namespace rafter::family
