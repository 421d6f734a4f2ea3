// Trials of earlier searches, in a file of JSON lines that grows with each trial: an interrupted search is resumed, and
// a larger space costs only what is new.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "workbench/tune/space.hpp"
#include "workbench/tune/worth.hpp"

namespace rafter::tune {

/// The things that a trial's result depends on besides its macros.
struct CacheKey {
  std::string task;                             ///< The plan: arguments, sizes, launches, tolerance, objective.
  std::string machine;                          ///< The device, its driver, and the compiler.
  std::vector<std::string> build{};             ///< The file and compiler options.
  std::vector<std::filesystem::path> inputs{};  ///< Other files: values of arguments and expectations.

  /// The SHA-256 of all of it, with the contents of the files and of all files that they include by name. Throws Error:
  /// io for a file that cannot be read, bad_argument for an include that a macro names.
  std::string digest() const;
};

/// The trials of one key. Other keys' lines stay in the file.
class TrialCache {
 public:
  /// Reads a file, which need not exist. An incomplete last line, which a killed process leaves, is skipped. Throws
  /// Error: io if it is not a regular file, bad_argument if it is something else than a cache.
  TrialCache(std::filesystem::path file, std::string key, const Space& space);

  /// The earlier trial of a point, or null.
  const Trial* find(const Point& point) const;

  /// Appends trials. Those whose result may depend on the load of the machine are left out: combinations that failed,
  /// were stopped, or did not compile. Throws Error (io).
  void add(const std::vector<Trial>& trials);

 private:
  std::filesystem::path file_;
  std::string key_;
  const Space& space_;
  std::map<std::string, Trial> trials_{};
  bool ends_in_line_ = true;
};

}  // namespace rafter::tune
