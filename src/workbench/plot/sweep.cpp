#include "workbench/plot/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>

#include "base/json_file.hpp"
#include "base/messages.hpp"
#include "rafter/error.hpp"

namespace rafter::plot {

namespace {

using nlohmann::json;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::bad_argument, fmt::format(text, std::forward<Args>(args)...));
}

/// Returns the number, also for a word that is one, such as heat's orders.
std::optional<double> number_of(const json& value) {
  if (value.is_number()) return value.get<double>();
  const auto& word = value.get_ref<const std::string&>();
  double number = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (status != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

/// Returns the requested parameter, the one given as a list, or the only one with several values.
std::string parameter_of(const json& document, const std::string& wanted) {
  std::map<std::string, std::set<json>> values;
  for (const json& result : document.at("results")) {
    for (const auto& [name, value] : result.at("params").items()) values[name].insert(value);
  }
  std::vector<std::string> all, varied;
  for (const auto& [name, some] : values) {
    all.push_back(name);
    if (some.size() > 1) varied.push_back(name);
  }
  if (!wanted.empty() && !values.contains(wanted))
    throw Error(ErrorCode::bad_argument, base::unknown_name("parameter of these results", wanted, all));
  if (!wanted.empty()) return wanted;
  if (document.contains("sweep")) return document["sweep"].at("parameter").get<std::string>();
  if (varied.empty()) refuse("these results are not a sweep: no parameter has several values");
  if (varied.size() > 1)
    refuse("several parameters have several values ({}): select one with --by", fmt::join(varied, ", "));
  return varied.front();
}

/// A sweep under construction: results by value and by rung.
struct Collected {
  Sweep sweep;
  std::vector<json> values;
  std::vector<std::vector<const json*>> results;  // by value
};

/// Returns the key that identifies a sweep.
json key_of(const json& result, const std::string& parameter) {
  json others = result.at("params");
  others.erase(parameter);
  return {result.at("workload"), result.at("device"), result.at("regime"), others};
}

void add(Collected& to, const json& value, const json& result) {
  const auto found = std::find(to.values.begin(), to.values.end(), value);
  const auto place = static_cast<std::size_t>(found - to.values.begin());
  if (found == to.values.end()) {
    to.values.push_back(value);
    to.results.emplace_back();
  }
  to.results[place].push_back(&result);
}

Curve& curve_of(Sweep& sweep, const json& result) {
  const auto name = result.at("rung").get<std::string>();
  const auto kind = result.at("kind") == "peer" ? Curve::Kind::peer : Curve::Kind::rung;
  for (Curve& curve : sweep.curves) {
    if (curve.name == name && curve.kind == kind) return curve;
  }
  sweep.curves.push_back({name, kind, std::vector<double>(sweep.values.size(), nothing)});
  return sweep.curves.back();
}

Sweep finished(Collected collected) {
  Sweep& sweep = collected.sweep;
  std::vector<std::size_t> order(collected.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto& values = collected.values;
  sweep.of_numbers = std::all_of(values.begin(), values.end(), [](const json& v) { return number_of(v).has_value(); });
  if (sweep.of_numbers) {
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return number_of(values[a]) < number_of(values[b]); });
  }
  for (const std::size_t i : order) {
    const auto place = static_cast<double>(sweep.values.size());
    sweep.values.push_back({sweep.of_numbers ? *number_of(values[i]) : place, base::param_text(values[i])});
  }
  for (std::size_t place = 0; place < order.size(); ++place) {
    for (const json* result : collected.results[order[place]]) {
      if (sweep.floors_ns.size() == place) sweep.floors_ns.push_back(result->at("floor_ns").get<double>());
      Curve& curve = curve_of(sweep, *result);
      if (result->at("verified").get<bool>()) curve.ns[place] = result->value("median_ns", nothing);
    }
  }
  return std::move(sweep);
}

std::vector<Sweep> collect(const json& document, const std::string& wanted) {
  const std::string parameter = parameter_of(document, wanted);
  const json& sweep = document.value("sweep", json::object());
  const std::string meaning = sweep.value("parameter", "") == parameter ? sweep.value("meaning", "") : "";
  std::vector<Collected> all;
  std::vector<json> keys;
  for (const json& result : document.at("results")) {
    const json& params = result.at("params");
    if (!params.contains(parameter)) continue;
    const json key = key_of(result, parameter);
    const auto place = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
    if (place == keys.size()) {
      keys.push_back(key);
      all.push_back({{.workload = key[0],
                      .device = key[1],
                      .regime = key[2],
                      .parameter = parameter,
                      .meaning = meaning,
                      .others = base::param_texts(key[3])},
                     {},
                     {}});
    }
    add(all[place], params[parameter], result);
  }
  std::vector<Sweep> sweeps;
  for (Collected& one : all) sweeps.push_back(finished(std::move(one)));
  return sweeps;
}

}  // namespace

std::vector<Sweep> sweeps_of(const json& results, const std::string& parameter) {
  try {
    if (results.at("results").empty()) refuse("it has no results");
    return collect(results, parameter);
  } catch (const json::exception& error) {
    refuse("not a results file of 'rafter run': {}", error.what());
  }
}

std::string machine_of(const json& results) {
  const json machine = results.is_object() ? results.value("machine", json::object()) : json::object();
  if (machine.contains("gpu")) return machine["gpu"].value("name", "a GPU");
  const int n_threads = machine.value("threads", 0);
  return fmt::format("{}, {} thread{}", machine.value("cpu", "an unknown CPU"), n_threads, n_threads == 1 ? "" : "s");
}

}  // namespace rafter::plot
