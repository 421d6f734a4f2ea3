// The subjects of a request: kernels, host launchers, and sequences of calls.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "executor/build/declared.hpp"
#include "workbench/bench/plan.hpp"

namespace rafter::bench {

/// Parses an expression and adds the option to the message of an Error.
base::Expression parse_expression(const char* option, const std::string& text);
/// Returns nothing for an empty text.
std::optional<base::Expression> parse_optional(const char* option, const std::string& text);

/// Parses the parts of a request that name functions of the file.
class SubjectParser {
 public:
  /// `plan` has the arguments.
  SubjectParser(const KernelRequest& request, const KernelPlan& plan, const simt::build::Declared& declared);

  /// Returns the sequences of --call by name, in the order given.
  std::vector<std::pair<std::string, Calls>> sequences() const;

  /// Whether the file has such a kernel.
  bool is_kernel(const std::string& name) const;
  /// Whether the file has such a host function, and whether it launches kernels.
  bool is_host_function(const std::string& name) const;
  bool is_launcher(const std::string& name) const;

  /// Returns the message about a name that the file does not have, with its kernels.
  std::string unknown_text(const std::string& name) const;

  /// Returns the calls of --kernel NAME or --reference NAME. Throws Error (bad_argument) for a name that is neither a
  /// kernel nor a launcher.
  Calls subject(const std::string& name, bool is_reference) const;

 private:
  std::pair<std::string, Call> parse_call(const std::string& text) const;
  LaunchExpressions parse_launch(const std::string& kernel, bool is_reference) const;
  LaunchExpressions parse_chevrons(const std::string& kernel, const std::string& list, const std::string& call) const;
  Operand parse_operand(const std::string& text) const;
  bool is_cooperative(const std::string& kernel) const;

  const KernelRequest& request_;
  const KernelPlan& plan_;
  const simt::build::Declared& declared_;
  std::vector<std::string> names_{};  ///< All that --grid and the like may name.
};

}  // namespace rafter::bench
