// The workloads this build knows, and the sources of their rungs.
#pragma once

#include <string_view>
#include <vector>

#include "lab/workload/exercise.hpp"
#include "lab/workload/workload.hpp"

namespace rafter::lab {

/// A source file of a rung, as `rafter show` prints it.
struct EmbeddedSource {
  std::string_view path;
  std::string_view text;
};

// All are generated from the families in kernels/.
std::vector<const Workload*> built_workloads();
std::vector<Exercise> built_exercises();
std::vector<EmbeddedSource> embedded_sources();

/// The source of a rung; empty where it is not embedded.
inline std::string_view source_of(const Rung& rung) {
  for (const EmbeddedSource& source : embedded_sources()) {
    if (source.path == rung.source_path) return source.text;
  }
  return "";
}

/// Throws Error (bad_argument) that suggests near names.
const Workload& workload_called(const std::vector<const Workload*>& workloads, std::string_view name);

}  // namespace rafter::lab
