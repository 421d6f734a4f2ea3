// JSON files, and parameters of results. Header-only: every file that includes it compiles nlohmann/json.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/units.hpp"
#include "rafter/error.hpp"

namespace rafter::base {

/// Reads a JSON file. Throws Error (io) when it cannot be read, (bad_argument) when it is not JSON or is truncated.
inline nlohmann::json read_json(const std::filesystem::path& path) {
  const auto text = read_file(path);
  if (!text) throw Error(ErrorCode::io, "cannot read '" + path.string() + "'");
  nlohmann::json document = nlohmann::json::parse(*text, nullptr, false);
  if (document.is_discarded())
    throw Error(ErrorCode::bad_argument, "'" + path.string() + "' is not JSON, or is truncated");
  return document;
}

/// Returns a parameter's value for a table: "2^20", "0.5", "float32".
inline std::string param_text(const nlohmann::json& value) {
  if (value.is_number_integer()) return show_count(value.get<std::int64_t>());
  return value.is_number() ? fmt::format("{:g}", value.get<double>()) : value.get<std::string>();
}

/// Returns the parameters for a table: "n=2^20", ...
inline std::vector<std::string> param_texts(const nlohmann::json& params) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : params.items()) texts.push_back(fmt::format("{}={}", name, param_text(value)));
  return texts;
}

}  // namespace rafter::base
