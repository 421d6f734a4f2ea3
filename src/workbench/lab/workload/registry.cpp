#include "workbench/lab/workload/registry.hpp"

#include "base/messages.hpp"
#include "rafter/error.hpp"

namespace rafter::lab {

std::string_view source_of(const std::vector<EmbeddedSource>& sources, const Rung& rung) {
  for (const EmbeddedSource& source : sources) {
    if (source.path == rung.source_path) return source.text;
  }
  return "";
}

const Workload& workload_called(const std::vector<const Workload*>& workloads, std::string_view name) {
  std::vector<std::string> known;
  for (const Workload* workload : workloads) {
    if (workload->name == name) return *workload;
    known.push_back(workload->name);
  }
  throw Error(ErrorCode::bad_argument, base::unknown_name("workload", name, known));
}

}  // namespace rafter::lab
