// Variables of kernels that are used before they have a value, as far as the compiler sees them. In a checked build
// such a variable holds a pattern, which shows in what is computed from it; its line only the compiler knows.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rafter::simt::build {

struct UnsetLocal {
  std::string file;
  int line = 0;      // of the use
  int declared = 0;  // 0: not known
  std::string name;
  std::string kernel;  // that it stands in; empty: a function that kernels call
  /// It has no value, whatever way is taken. Otherwise the compiler sees ways on which it has none, and cannot tell
  /// whether they are ever taken.
  bool is_certain = false;
};

/// What a compiler's output says about device code; `texts` are the project's files.
std::vector<UnsetLocal> find_unset_locals(const std::string& output,
                                          const std::map<std::filesystem::path, std::string>& texts);

/// A compiler's output with its errors alone.
std::string without_warnings(const std::string& output);

/// They are kept beside the program of that key, as long as it is.
void keep_unset_locals(const std::filesystem::path& cache, const std::string& key,
                       const std::vector<UnsetLocal>& locals);
std::vector<UnsetLocal> kept_unset_locals(const std::filesystem::path& cache, const std::string& key);

}  // namespace rafter::simt::build
