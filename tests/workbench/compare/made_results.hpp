// Makes results files with given times.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

namespace rafter::compare {

/// Returns samples around `ns` with a scatter of one percent.
inline std::vector<double> times(double ns, unsigned seed, int n = 40, double scatter = 0.01) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> samples;
  for (int i = 0; i < n; ++i) samples.push_back(ns * std::exp(scatter * normal(random)));
  return samples;
}

inline nlohmann::json rung(const std::string& name, const std::vector<double>& samples_ns, std::int64_t n = 1024) {
  return {{"workload", "sum"}, {"params", {{"n", n}, {"dtype", "float32"}}},
          {"device", "cpu"},   {"rung", name},
          {"verified", true},  {"regime", "cold"},
          {"noise", 0.002},    {"samples_ns", samples_ns}};
}

inline nlohmann::json wrong_rung(const std::string& name) {
  nlohmann::json result = rung(name, {});
  result["verified"] = false;
  result["detail"] = "element 3 is 7, expected 8";
  return result;
}

/// A rung that the executor counted, with the model's estimate.
inline nlohmann::json counted_rung(const std::string& name, double bytes, double estimate_ns) {
  nlohmann::json result = rung(name, {});
  result.erase("samples_ns");
  result["device"] = "simt";
  result["counts"] = {{"bytes_moved", bytes}, {"bytes_asked", 100.}};
  result["estimate"] = {{"gpu", "H200"}, {"ns", estimate_ns}};
  return result;
}

inline nlohmann::json document(const std::vector<nlohmann::json>& rungs) {
  return {{"format", 1},
          {"time", "2026-01-02T03:04:05Z"},
          {"machine", {{"cpu", "A"}, {"isa", "v3"}, {"threads", 2}, {"rafter", "1.2.3"}}},
          {"results", rungs}};
}

}  // namespace rafter::compare
