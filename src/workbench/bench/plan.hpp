// A request, understood: which functions of the file, with which arguments and launches, held against what.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/expression.hpp"
#include "workbench/bench/arguments.hpp"
#include "workbench/bench/request.hpp"
#include "workbench/lab/workload/params.hpp"

namespace rafter::bench {

/// The shape of a launch, in expressions of the sizes.
struct LaunchExpressions {
  std::vector<std::string> grid{}, block{};
  std::string shared{};  ///< empty: none
};

/// The shape with its sizes known.
struct LaunchShape {
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::size_t shared_bytes = 0;
};

struct Plan {
  std::filesystem::path file{};
  std::vector<std::string> kernels{};                           ///< to be measured, in the order given
  std::vector<std::string> reference_kernels{};                 ///< of the same file
  std::vector<std::string> reference_functions{};               ///< of the host
  std::map<std::string, std::filesystem::path> expectations{};  ///< by array
  std::vector<Argument> arguments{};
  std::map<std::string, LaunchExpressions> launches{};  ///< of each kernel, references too
  std::vector<lab::Parameter> parameters{};             ///< the sizes by name
  std::string bytes{}, flops{};
  double tolerance = 0;

  /// The kernels that are timed: references first, each once.
  std::vector<std::string> rungs() const;
  bool is_reference(const std::string& kernel) const;
  /// Every size with its first value.
  lab::Params first_case() const;
};

/// Throws Error (bad_argument, io): an unknown kernel with the file's kernels, a reference that is nothing, a launch
/// without a shape.
Plan make_plan(const Request& request);

/// The sizes of a case as names in expressions.
base::Names names_of(const lab::Params& params);

/// Throws Error (bad_argument) for more blocks or threads than a launch has.
LaunchShape shape_of(const std::string& kernel, const LaunchExpressions& launch, const base::Names& names);

}  // namespace rafter::bench
