#include "workbench/tune/t4.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace rafter::tune {

namespace {

using nlohmann::json;

constexpr double ns_per_ms = 1e6;

/// A number if the text is one: readers of the format compute with values.
json value_of(const std::string& text) {
  char* end = nullptr;
  const long long integer = std::strtoll(text.c_str(), &end, 10);
  if (end != text.c_str() && *end == '\0') return integer;
  const double number = std::strtod(text.c_str(), &end);
  if (end != text.c_str() && *end == '\0') return number;
  return text;
}

std::string invalidity_of(const Trial& trial) {
  if (trial.status == "verified") return "correct";
  if (trial.status == "does not compile") return "compile";
  if (trial.status == "failed") return trial.reason.find("was stopped") != std::string::npos ? "timeout" : "runtime";
  return "correctness";
}

}  // namespace

json t4_of(const Space& space, const std::vector<Trial>& trials, Objective objective) {
  const bool is_timed = std::any_of(trials.begin(), trials.end(), [](const Trial& trial) { return trial.ns; });
  const char* name = objective == Objective::energy ? "energy" : is_timed ? "time" : "estimated_time";
  json results = json::array();
  for (const Trial& trial : trials) {
    json configuration = json::object(), runtimes = json::array(), measurements = json::array();
    for (std::size_t d = 0; d < space.dimensions.size(); ++d)
      configuration[space.dimensions[d].name] = value_of(space.dimensions[d].values[trial.point[d]]);
    const auto add = [&](const char* what, double value, const char* unit) {
      measurements.push_back({{"name", what}, {"value", value}, {"unit", unit}});
    };
    if (trial.ns) {
      runtimes.push_back(*trial.ns / ns_per_ms);
      add("time", *trial.ns / ns_per_ms, "ms");
    }
    if (trial.estimate_ns) add("estimated_time", *trial.estimate_ns / ns_per_ms, "ms");
    if (trial.energy_j) add("energy", *trial.energy_j, "J");
    if (trial.bytes_moved) add("bytes_moved", *trial.bytes_moved, "B");
    results.push_back({{"timestamp", trial.when},
                       {"configuration", configuration},
                       {"objectives", {name}},
                       {"times", {{"compilation_time", trial.compile_ms}, {"runtimes", runtimes}}},
                       {"invalidity", invalidity_of(trial)},
                       {"correctness", trial.status == "verified" ? 1 : 0},
                       {"measurements", measurements}});
  }
  return {{"schema_version", "1.0.0"}, {"results", results}};
}

}  // namespace rafter::tune
