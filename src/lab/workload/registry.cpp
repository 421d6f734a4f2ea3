#include "lab/workload/registry.hpp"

#include "base/suggest.hpp"
#include "rafter/error.hpp"

namespace rafter::lab {

const Workload& workload_called(const std::vector<const Workload*>& workloads, std::string_view name) {
  std::vector<std::string> known;
  for (const Workload* workload : workloads) {
    if (workload->name == name) return *workload;
    known.push_back(workload->name);
  }
  throw Error(ErrorCode::bad_argument, base::unknown_name("workload", name, known));
}

}  // namespace rafter::lab
