#include "workbench/lab/roofs/roof_cache.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "rafter/error.hpp"

namespace rafter::lab {

namespace {

using nlohmann::json;

constexpr double most_days = 7;

json read_cache(const std::filesystem::path& path) {
  const auto text = base::read_file(path);
  json cache = text ? json::parse(*text, nullptr, false) : json::object();
  return cache.is_object() ? cache : json::object();
}

/// Parses the output of to_json(); throws json::exception for anything else.
Bandwidth bandwidth_in(const json& object) {
  Bandwidth bandwidth(object.at("sizes_bytes").get<std::vector<double>>());
  for (std::size_t t = 0; t < n_traffics; ++t) {
    const auto rates = object.at("bytes_per_s").at(all_traffics[t].name).get<std::vector<double>>();
    for (std::size_t s = 0; s < std::min(rates.size(), bandwidth.sizes().size()); ++s) bandwidth.at(t, s) = rates[s];
  }
  return bandwidth;
}

}  // namespace

json to_json(const Bandwidth& bandwidth) {
  json rates = json::object();
  for (std::size_t t = 0; t < n_traffics; ++t) {
    json& curve = rates[all_traffics[t].name] = json::array();
    for (std::size_t s = 0; s < bandwidth.sizes().size(); ++s) curve.push_back(bandwidth.at(t, s));
  }
  return {{"sizes_bytes", std::vector<double>(bandwidth.sizes().begin(), bandwidth.sizes().end())},
          {"bytes_per_s", std::move(rates)}};
}

std::optional<CachedCurve> RoofCache::find(const std::string& machine, std::span<const double> sizes,
                                           double unix_s) const {
  const json cache = read_cache(path_);
  try {
    const json& entry = cache.at(machine);
    CachedCurve curve{bandwidth_in(entry), entry.at("measured_unix_s").get<double>()};
    const double age_s = unix_s - curve.measured_unix_s;
    const bool is_fresh = age_s >= 0 && age_s < most_days * 24 * 3600;
    const bool has_sizes = std::ranges::equal(curve.bandwidth.sizes(), sizes);
    if (is_fresh && has_sizes && curve.bandwidth.is_complete()) return curve;
  } catch (const json::exception&) {
    // Missing or invalid: the curve is measured again.
  }
  return std::nullopt;
}

void RoofCache::keep(const std::string& machine, const CachedCurve& curve) const {
  json cache = read_cache(path_);
  json entry = to_json(curve.bandwidth);
  entry["measured_unix_s"] = curve.measured_unix_s;
  cache[machine] = std::move(entry);
  try {
    base::write_file(path_, cache.dump(2) + "\n");
  } catch (const Error&) {
  }
}

}  // namespace rafter::lab
