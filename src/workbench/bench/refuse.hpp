// What the parsers of a request share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "rafter/error.hpp"

namespace rafter::bench {

/// Throws an Error (bad_argument) with a formatted message.
template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::bad_argument, fmt::format(text, std::forward<Args>(args)...));
}

inline bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace rafter::bench
