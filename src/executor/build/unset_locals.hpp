// Variables of kernels that are used uninitialised, as far as the compiler detects it. In a checked build such a
// variable holds a pattern that is recognised in computed values, but only the compiler knows the line.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rafter::simt::build {

struct UnsetLocal {
  std::string file;
  int line = 0;      // of the use
  int declared = 0;  // line of the declaration; 0: unknown
  std::string name;
  std::string kernel;  // the enclosing kernel; empty: a device function
  /// Whether the variable is uninitialised on every path. Otherwise the compiler sees paths on which it is, and cannot
  /// decide whether they are ever taken.
  bool is_certain = false;
};

/// Returns the uninitialised variables of device code that a compiler's output names; `texts` are the project's files.
std::vector<UnsetLocal> find_unset_locals(const std::string& output,
                                          const std::map<std::filesystem::path, std::string>& texts);

/// Stores the variables next to the cached program with this key, for as long as that program is cached.
void save_unset_locals(const std::filesystem::path& cache, const std::string& key,
                       const std::vector<UnsetLocal>& locals);
std::vector<UnsetLocal> load_unset_locals(const std::filesystem::path& cache, const std::string& key);

}  // namespace rafter::simt::build
