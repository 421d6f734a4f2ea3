// What a source declares: its kernels, host functions and device variables, those of the project's headers, and those
// that macros define.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "executor/build/program.hpp"
#include "executor/build/rewrite/kernels.hpp"

namespace rafter::simt::build {

/// A function as the user names it: "sum", "ns::sum<float>", "scale(float*, int)" for one of several overloads.
struct FunctionName {
  std::string name;         ///< With the namespaces that the user wrote.
  std::string arguments{};  ///< "<float>", or empty.
  std::string types{};      ///< "float*, int", if `has_types`.
  bool has_types = false;
};
FunctionName parse_function_name(const std::string& text);

/// Returns the text of a file with the project's headers in place of their #include lines, each once, under #line
/// directives. Other #include lines stay. Throws Error (io).
std::string with_headers(const std::filesystem::path& file, const CompileOptions& options);

class Declared {
 public:
  /// Throws Error (io) if the file cannot be read.
  Declared(std::filesystem::path file, CompileOptions options);

  const std::filesystem::path& file() const { return file_; }

  /// Return the functions that a name may mean, in the order of the text; several are overloads. A file whose own text
  /// has none is searched with its headers, and with macros expanded.
  std::vector<Kernel> kernels_called(const FunctionName& name) const;
  std::vector<Kernel> functions_called(const FunctionName& name) const;

  /// The names of all kernels, and of the __device__ and __constant__ variables with their namespaces.
  std::vector<Kernel> all_kernels() const;
  std::vector<std::string> variables() const;

  /// Whether the host function launches kernels, itself or through a function that it calls.
  bool launches(const std::string& function) const;
  /// Whether the kernel, or a function that it calls, waits for the whole grid: it needs a cooperative launch.
  bool waits_for_grid(const std::string& kernel) const;

 private:
  const std::string& expanded() const;
  /// Whether the function has one of the words that `is_wanted` accepts, or calls one that has.
  template <class IsWanted>
  bool reaches(const std::string& function, const IsWanted& is_wanted) const;
  const std::map<std::string, std::set<std::string>>& words() const;

  std::filesystem::path file_;
  CompileOptions options_;
  std::string text_;
  mutable std::string expanded_{};                                // empty: not yet made
  mutable std::map<std::string, std::set<std::string>> words_{};  // of the functions' bodies, by name
};

}  // namespace rafter::simt::build
