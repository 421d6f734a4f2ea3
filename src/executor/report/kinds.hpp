// The kinds of findings, and their titles.
#pragma once

#include <map>
#include <string>

namespace rafter::simt::report {

/// Returns the title of each kind, as in "access out of bounds" for "out_of_bounds".
const std::map<std::string, std::string>& titles();

/// Returns the title of a kind, or the kind itself if it has none.
inline std::string title_of(const std::string& kind) {
  const auto found = titles().find(kind);
  return found == titles().end() ? kind : found->second;
}

}  // namespace rafter::simt::report
