// Parts of messages: unknown names and shapes. Header-only, because the library does not link base.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::base {

/// Returns the number of edits (insert, delete, replace, swap adjacent characters) that turn one name into the other.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
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

inline std::string joined(std::span<const std::string> names, std::string_view between) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += between;
    text += name;
  }
  return text;
}

/// Returns the known names similar to `name`, each once.
inline std::vector<std::string> similar_names(std::string_view name, std::span<const std::string> known) {
  std::vector<std::string> near;
  for (const std::string& candidate : known) {
    if (std::find(near.begin(), near.end(), candidate) != near.end()) continue;
    const bool part = name.size() >= 3 && candidate.find(name) != std::string::npos;
    if (part || edit_distance(name, candidate) <= std::max<std::size_t>(1, candidate.size() / 3))
      near.push_back(candidate);
  }
  return near;
}

/// Returns "unknown workload 'smu': did you mean 'sum'?", or the known names if none is similar.
inline std::string unknown_name(std::string_view what, std::string_view name, std::span<const std::string> known) {
  const std::vector<std::string> near = similar_names(name, known);
  const std::string unknown = "unknown " + std::string(what) + " '" + std::string(name) + "'";
  if (near.empty()) return unknown + "; expected one of: " + joined(known, ", ");
  return unknown + ": did you mean '" + joined(near, "' or '") + "'?";
}

/// Returns a shape in NumPy's notation: "(3, 86, 86)", "(3,)".
inline std::string show_shape(std::span<const std::int64_t> shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace rafter::base
