#include "base/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace rafter::base {

namespace {

// Edits (insert, delete, replace, swap neighbours) that turn one name into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string unknown_name(std::string_view what, std::string_view name, std::span<const std::string> known) {
  std::vector<std::string> near;
  for (const std::string& candidate : known) {
    if (std::find(near.begin(), near.end(), candidate) != near.end()) continue;
    const bool part = name.size() >= 3 && candidate.find(name) != std::string::npos;
    if (part || distance(name, candidate) <= std::max<std::size_t>(1, candidate.size() / 3)) near.push_back(candidate);
  }
  if (near.empty()) return fmt::format("unknown {} '{}'; there is: {}", what, name, fmt::join(known, ", "));
  return fmt::format("unknown {} '{}': did you mean '{}'?", what, name, fmt::join(near, "' or '"));
}

}  // namespace rafter::base
