#include "explain/times.hpp"

#include "base/json_file.hpp"
#include "explain/ptx.hpp"
#include "rafter/error.hpp"

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
  if (!document.is_object() || !document.contains("results") || !document["results"].is_array())
    throw Error(ErrorCode::bad_argument,
                "'" + file.string() + "' holds no results of 'rafter bench' or 'rafter run' (--json FILE)");
  return document;
}

void add_times(Facts& facts, const json& results) {
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
