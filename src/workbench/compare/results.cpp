#include "workbench/compare/results.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_file.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/workload/params.hpp"

namespace rafter::compare {

namespace {

using nlohmann::json;

constexpr int newest_format = 1;

std::string params_text(const json& params) {
  lab::Params result;
  for (const auto& [name, value] : params.items()) {
    if (value.is_number_integer()) {
      result.set(name, value.get<std::int64_t>());
    } else if (value.is_number()) {
      result.set(name, value.get<double>());
    } else {
      result.set(name, value.get<std::string>());
    }
  }
  return result.text();
}

TimedRung rung_of(const json& result) {
  TimedRung rung{.workload = result.at("workload"),
                 .params = params_text(result.at("params")),
                 .device = result.at("device"),
                 .regime = result.value("regime", "cold"),
                 .rung = result.at("rung"),
                 .is_verified = result.at("verified"),
                 .detail = result.value("detail", ""),
                 .noise = result.value("noise", 0.)};
  if (rung.is_verified && result.contains("samples_ns"))
    rung.samples_ns = result["samples_ns"].get<std::vector<double>>();
  if (result.contains("counts")) rung.bytes_moved = result["counts"].value("bytes_moved", 0.);
  if (result.contains("estimate")) {
    rung.estimate_ns = result["estimate"].value("ns", 0.);
    rung.estimate_gpu = result["estimate"].value("gpu", "");
  }
  const auto is_time = [](double ns) { return ns > 0; };
  if (!std::all_of(rung.samples_ns.begin(), rung.samples_ns.end(), is_time))
    throw Error(ErrorCode::bad_argument,
                fmt::format("{} {} has samples that are not positive", rung.in_case(), rung.rung));
  return rung;
}

}  // namespace

std::string TimedRung::in_case() const { return fmt::format("{} {} on {}, {}", workload, params, device, regime); }

bool TimedRung::matches(const TimedRung& other) const {
  return workload == other.workload && params == other.params && device == other.device && regime == other.regime &&
         rung == other.rung;
}

bool Results::uses(const char* device) const {
  return std::any_of(rungs.begin(), rungs.end(), [&](const TimedRung& rung) { return rung.device == device; });
}

Results parse_results(const json& document, const std::string& name) {
  const auto refuse = [&](const std::string& why) -> Error {
    return {ErrorCode::bad_argument, fmt::format("'{}' is not a results file of 'rafter run': {}", name, why)};
  };
  try {
    if (document.is_object() && document.contains("format") && document["format"] > newest_format) {
      throw Error(ErrorCode::bad_argument,
                  fmt::format("'{}' has format {} of a newer rafter; this version reads up to {}", name,
                              document["format"].dump(), newest_format));
    }
    const json machine = document.at("machine");
    Results results{.name = name,
                    .time = document.value("time", ""),
                    .version = machine.value("rafter", ""),
                    .cpu = machine.value("cpu", ""),
                    .isa = machine.value("isa", ""),
                    .n_threads = machine.value("threads", std::int64_t{0})};
    if (machine.contains("gpu")) {
      results.gpu = machine["gpu"].value("name", "");
      results.driver = machine["gpu"].value("driver", "");
    }
    for (const json& result : document.at("results")) results.rungs.push_back(rung_of(result));
    if (results.rungs.empty()) throw refuse("it has no results");
    return results;
  } catch (const json::exception& error) {
    throw refuse(error.what());
  }
}

Results read_results(const std::filesystem::path& path) { return parse_results(base::read_json(path), path.string()); }

std::vector<std::string> differences(const Results& a, const Results& b) {
  std::vector<std::string> found;
  const auto compare = [&](const char* what, const auto& one, const auto& other) {
    if (one != other) found.push_back(fmt::format("{}: {} and {}", what, one, other));
  };
  const auto is_timed = [](const TimedRung& rung) { return !rung.samples_ns.empty(); };
  const bool has_times =
      std::any_of(a.rungs.begin(), a.rungs.end(), is_timed) || std::any_of(b.rungs.begin(), b.rungs.end(), is_timed);
  if (has_times) compare("cpu", a.cpu, b.cpu);  // counts do not depend on it
  if (a.uses("cpu") || b.uses("cpu")) {
    compare("instruction set", a.isa, b.isa);
    compare("threads", a.n_threads, b.n_threads);
  }
  if (a.uses("cuda") || b.uses("cuda")) {
    compare("gpu", a.gpu, b.gpu);
    compare("driver", a.driver, b.driver);
  }
  return found;
}

}  // namespace rafter::compare
