#include "workbench/lab/workload/workload.hpp"

#include <algorithm>

#include "base/messages.hpp"
#include "rafter/error.hpp"

namespace rafter::lab {

const char* name(Status status) noexcept {
  switch (status) {
    case Status::verified: return "verified";
    case Status::wrong: return "WRONG";
    case Status::refused: return "refused";
    case Status::absent: return "not built";
    case Status::failed: return "FAILED";
    case Status::implausible: return "INVALID";
    case Status::hazard: return "HAZARD";
    case Status::suspicious: return "SUSPICIOUS";
  }
  return "";
}

Status status_called(const std::string& word) {
  for (const auto status : {Status::verified, Status::wrong, Status::refused, Status::absent, Status::failed,
                            Status::hazard, Status::suspicious}) {
    if (word == name(status)) return status;
  }
  return Status::implausible;
}

const Parameter& parameter_called(const Workload& workload, std::string_view name) {
  std::vector<std::string> known;
  for (const Parameter& parameter : workload.parameters) {
    if (parameter.name == name) return parameter;
    known.push_back(parameter.name);
  }
  throw Error(ErrorCode::bad_argument, workload.name + ": " + base::unknown_name("parameter", name, known));
}

std::vector<const Rung*> rungs_on(const Workload& workload, Device device, const std::vector<std::string>& only) {
  std::vector<const Rung*> all;
  std::vector<std::string> known;
  for (const Rung& rung : workload.rungs) {
    if (rung.device != device) continue;
    all.push_back(&rung);
    known.push_back(rung.name);
  }
  if (only.empty()) return all;
  for (const std::string& wanted : only) {
    if (std::find(known.begin(), known.end(), wanted) != known.end()) continue;
    const std::string what = "rung of " + workload.name + " on " + std::string(name(device));
    throw Error(ErrorCode::bad_argument, base::unknown_name(what, wanted, known));
  }
  std::erase_if(all, [&](const Rung* rung) { return std::find(only.begin(), only.end(), rung->name) == only.end(); });
  return all;
}

Params complete(const Workload& workload, const Params& given) {
  for (const auto& [name, value] : given.all()) parameter_called(workload, name);
  Params all;
  for (const Parameter& parameter : workload.parameters) {
    const Value* value = given.find(parameter.name);
    if (!parameter.shows_standard && (value == nullptr || *value == parameter.standard)) continue;
    all.set(parameter.name, value != nullptr ? *value : parameter.standard);
  }
  return all;
}

}  // namespace rafter::lab
