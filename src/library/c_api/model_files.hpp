// Model files in the caller's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "library/c_api/call.hpp"

namespace rafter::c_api {

inline std::span<const std::byte> file_in_memory(const Function& function, const void* file, std::int64_t bytes) {
  const auto* const first = static_cast<const std::byte*>(file);
  if (bytes < 0) refuse(function, "bytes", "should be 0 or more, is " + std::to_string(bytes));
  if (bytes > 0) required(function, "file", first);
  return {first, static_cast<std::size_t>(bytes)};
}

}  // namespace rafter::c_api
