// The workloads this build knows, and the sources of their rungs.
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

// All are generated: of the families in kernels/ for the tool, of one family for a shared object that it loads.
std::vector<const Workload*> built_workloads();
std::vector<Exercise> built_exercises();
std::vector<EmbeddedSource> embedded_sources();

/// The source of a rung among these; empty where it is none of them.
std::string_view source_of(const std::vector<EmbeddedSource>& sources, const Rung& rung);

/// What a shared object with workloads tells the program that loads it, through its one function, rafter_loadable.
struct Loadable {
  const char* abi = nullptr;  ///< a symbol that only programs with the same headers have: others cannot load it
  std::vector<const Workload*> workloads{};
  std::vector<EmbeddedSource> sources{};
};

/// Throws Error (bad_argument) that suggests near names.
const Workload& workload_called(const std::vector<const Workload*>& workloads, std::string_view name);

}  // namespace rafter::lab
