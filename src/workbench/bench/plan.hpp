// A request with everything parsed: the functions of the file, their arguments and launches, and the references.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/expression.hpp"
#include "workbench/bench/arguments.hpp"
#include "workbench/bench/request.hpp"
#include "workbench/lab/workload/params.hpp"

namespace rafter::bench {

/// The shape of a launch in expressions of the sizes.
struct LaunchExpressions {
  std::vector<base::Expression> grid{}, block{};
  std::optional<base::Expression> shared_bytes{};
  bool is_cooperative = false;
};

/// An argument of a call: one of --arg, or a value that the call itself has.
struct Operand {
  Argument argument{};
  std::optional<base::Expression> offset{};  ///< Elements added to an array's address.
};

/// One step of a subject: a kernel's launch, or the call of a host function.
struct Call {
  std::string function;                            ///< As the user wrote it: "sum", "ns::sum<float>".
  std::optional<LaunchExpressions> launch{};       ///< Nothing: a host function, which gets the arrays of the device.
  std::optional<std::vector<Operand>> operands{};  ///< By position; nothing: arguments are found by name.
};

enum class CallKind { kernel, host };

/// The calls that are verified and timed as a whole: of a kernel, of a host launcher, or of several functions.
using Calls = std::vector<Call>;

/// The shape of a launch in numbers.
struct LaunchShape {
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::size_t shared_bytes = 0;
  bool is_cooperative = false;
};

/// A size that the user set. Several values make a sweep.
struct Size {
  std::string name;
  std::vector<lab::Value> values{};
  std::string text{};  ///< NAME=VALUE[,VALUE...] as typed, for the results file.
};

struct KernelPlan {
  std::filesystem::path file{};
  std::vector<std::string> build{};                ///< The file and compiler options.
  std::vector<std::string> kernels{};              ///< The subjects to measure, in the order given.
  std::vector<std::string> reference_kernels{};    ///< Subjects: kernels and launchers of the same file, or calls.
  std::vector<std::string> reference_functions{};  ///< Host functions of the same file, which get host memory.
  std::map<std::string, std::filesystem::path> expectations{};  ///< Expected content by array.
  std::vector<Argument> arguments{};
  std::vector<Argument> symbols{};          ///< Values of __constant__ and __device__ variables.
  std::map<std::string, Calls> subjects{};  ///< By name, references included.
  std::vector<Size> sizes{};
  std::optional<base::Expression> bytes{}, flops{};
  double tolerance = 0;                 ///< 0: the default of the type.
  std::vector<std::string> may_keep{};  ///< Variables whose values may outlive a call.
  std::vector<std::string> allowed{};   ///< Kinds of races that do not make a kernel a hazard.

  /// The subjects that are timed: references first, each once.
  std::vector<std::string> rungs() const;
  /// The calls of a subject, or of a reference function.
  Calls calls_of(const std::string& name) const;
  /// The functions of all subjects, each once: kernels, or host functions including the references.
  std::vector<std::string> functions_of(CallKind kind) const;
  bool is_reference(const std::string& kernel) const;
  /// The case with the first value of every size.
  lab::Params first_case() const;
};

/// Parses a request. Throws Error (bad_argument, io): an unknown kernel with the kernels of the file, an unknown
/// reference, a launch without a shape, a malformed expression or call.
KernelPlan parse_plan(const KernelRequest& request);

nlohmann::json to_json(const KernelPlan& plan);
/// Reads what to_json() wrote.
KernelPlan kernel_plan_of(const nlohmann::json& json);

/// The sizes of a case as values of names in expressions.
base::Names names_of(const lab::Params& params);

/// Evaluates the shape of a launch. Throws Error (bad_argument) for more blocks or threads than a launch may have.
LaunchShape shape_of(const std::string& kernel, const LaunchExpressions& launch, const base::Names& names);

}  // namespace rafter::bench
