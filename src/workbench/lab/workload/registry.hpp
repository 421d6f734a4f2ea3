// The workloads of this build and the sources of their rungs.
#pragma once

#include <string_view>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::lab {

/// A source file of a rung, as `rafter show` prints it.
struct EmbeddedSource {
  std::string_view path;
  std::string_view text;
};

// These functions are generated: from the families in kernels/ for the tool, from one family for a loadable object.
std::vector<const Workload*> built_workloads();
std::vector<Exercise> built_exercises();
std::vector<EmbeddedSource> embedded_sources();

/// Returns the source of a rung, or "" if it is not among `sources`.
std::string_view source_of(const std::vector<EmbeddedSource>& sources, const Rung& rung);

/// The contents of a shared object with workloads. Its only exported function, rafter_loadable, returns them.
struct Loadable {
  const char* abi = nullptr;  ///< a symbol that only programs built with the same headers define
  std::vector<const Workload*> workloads{};
  std::vector<EmbeddedSource> sources{};
};

/// Returns the workload with this name; throws Error (bad_argument) that suggests similar names.
const Workload& workload_called(const std::vector<const Workload*>& workloads, std::string_view name);

}  // namespace rafter::lab
