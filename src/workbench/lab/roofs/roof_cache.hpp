// A cache of measured bandwidth curves, per machine, valid for a week.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "workbench/lab/roofs/bandwidth.hpp"

namespace rafter::lab {

struct CachedCurve {
  Bandwidth bandwidth{};
  double measured_unix_s = 0;
};

class RoofCache {
 public:
  explicit RoofCache(std::filesystem::path path) : path_(std::move(path)) {}

  /// Returns the curve of this machine, if there is one for exactly these sizes that is not too old.
  std::optional<CachedCurve> find(const std::string& machine, std::span<const double> sizes, double unix_s) const;

  /// Stores a curve. Failures to write are ignored: they only cost a new measurement.
  void keep(const std::string& machine, const CachedCurve& curve) const;

 private:
  std::filesystem::path path_;
};

nlohmann::json to_json(const Bandwidth& bandwidth);

}  // namespace rafter::lab
