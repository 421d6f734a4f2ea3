// Curves that were measured before, kept per machine until they are a week old.
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

  /// The curve of this machine, if there is one for these very sizes that is not too old.
  std::optional<CachedCurve> find(const std::string& machine, std::span<const double> sizes, double unix_s) const;

  /// A cache that cannot be written only costs the measurement again.
  void keep(const std::string& machine, const CachedCurve& curve) const;

 private:
  std::filesystem::path path_;
};

nlohmann::json to_json(const Bandwidth& bandwidth);

}  // namespace rafter::lab
