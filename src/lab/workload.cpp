#include "lab/workload.hpp"

#include "lab/suggest.hpp"
#include "rafter/error.hpp"

namespace rafter::lab {

const Parameter& parameter_called(const Workload& workload, std::string_view name) {
  std::vector<std::string> known;
  for (const Parameter& parameter : workload.parameters) {
    if (parameter.name == name) return parameter;
    known.push_back(parameter.name);
  }
  throw Error(ErrorCode::bad_argument, workload.name + ": " + unknown_name("parameter", name, known));
}

std::vector<const Rung*> rungs_on(const Workload& workload, Device device) {
  std::vector<const Rung*> rungs;
  for (const Rung& rung : workload.rungs) {
    if (rung.device == device) rungs.push_back(&rung);
  }
  return rungs;
}

Params complete(const Workload& workload, const Params& given) {
  for (const auto& [name, value] : given.all()) parameter_called(workload, name);
  Params all;
  for (const Parameter& parameter : workload.parameters) {
    const Value* value = given.find(parameter.name);
    all.set(parameter.name, value != nullptr ? *value : parameter.standard);
  }
  return all;
}

}  // namespace rafter::lab
