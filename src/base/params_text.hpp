// Parameters of results as tables show them. A header alone: whoever reads results knows the JSON library already.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace rafter::base {

/// "2^20", "0.5", "float32"
inline std::string param_text(const nlohmann::json& value) {
  if (value.is_number_integer()) return show_count(value.get<std::int64_t>());
  return value.is_number() ? fmt::format("{:g}", value.get<double>()) : value.get<std::string>();
}

/// "n=2^20", ...
inline std::vector<std::string> param_texts(const nlohmann::json& params) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : params.items()) texts.push_back(fmt::format("{}={}", name, param_text(value)));
  return texts;
}

}  // namespace rafter::base
