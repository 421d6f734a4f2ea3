// JSON files. A header alone: whoever reads them knows the library already.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "rafter/error.hpp"

namespace rafter::base {

/// Throws Error: io when it cannot be read, bad_argument when it is no JSON or ends too early.
inline nlohmann::json read_json(const std::filesystem::path& path) {
  const auto text = read_file(path);
  if (!text) throw Error(ErrorCode::io, "cannot read '" + path.string() + "'");
  nlohmann::json document = nlohmann::json::parse(*text, nullptr, false);
  if (document.is_discarded())
    throw Error(ErrorCode::bad_argument, "'" + path.string() + "' is not JSON, or not all of it is there");
  return document;
}

}  // namespace rafter::base
