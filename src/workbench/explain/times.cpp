#include "workbench/explain/times.hpp"

#include "base/json_file.hpp"
#include "rafter/error.hpp"
#include "workbench/explain/ptx.hpp"

namespace rafter::explain {

using nlohmann::json;

namespace {

double median_of(const json& result, const char* regime) {
  if (result.value("regime", "cold") == regime) return result.value("median_ns", 0.);
  if (!result.contains("regimes") || !result["regimes"].contains(regime)) return 0;
  return result["regimes"][regime].value("median_ns", 0.);
}

}  // namespace

json read_times(const std::filesystem::path& file) {
  json document = base::read_json(file);
  const auto has_list = [&](const char* key) { return document.contains(key) && document[key].is_array(); };
  if (!document.is_object() || (!has_list("results") && !has_list("kernels")))
    throw Error(ErrorCode::bad_argument,
                "'" + file.string() + "' has no results of 'rafter bench' or 'rafter run' (--json FILE)");
  return document;
}

void add_times(Facts& facts, const json& results) {
  if (results.contains("kernels")) {  // results of a whole program
    for (const json& kernel : results["kernels"]) {
      if (kernel.contains("median_ns") && find_kernel({kernel.value("kernel", "")}, facts.kernel) >= 0)
        facts.times = Times{.in_program_ns = kernel["median_ns"]};
    }
    return;
  }
  for (const json& result : results["results"]) {
    if (!result.value("verified", false) || result.value("device", "") != "cuda" || !result.contains("median_ns"))
      continue;
    if (find_kernel({result.value("rung", "")}, facts.kernel) < 0) continue;
    facts.times = Times{.device = results.contains("machine") ? results["machine"].value("device", "") : "",
                        .cold_ns = median_of(result, "cold"),
                        .warm_ns = median_of(result, "warm"),
                        .graph_ns = median_of(result, "graph"),
                        .host_ns = median_of(result, "wall"),
                        .floor_ns = result.value("floor_ns", 0.)};
  }
}

}  // namespace rafter::explain
