// Operands of PTX instructions: registers, operands of the asm statement, numbers, addresses.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "executor/build/rewrite/ptx/ptx.hpp"

namespace rafter::simt::build::ptx {

using Words = std::vector<std::string>;

/// Returns the text without leading and trailing white space.
std::string stripped(std::string_view text);
/// Splits the text at each `at` outside brackets and strips the parts.
Words split(std::string_view text, char at);

class Operands {
 public:
  explicit Operands(const std::vector<AsmOperand>& operands) : operands_(operands) {}

  /// Declares a register of the PTX code.
  void declare(const std::string& name) { registers_.insert(name); }

  /// Returns the C++ expression for a register, an operand or a number.
  std::optional<std::string> value(const std::string& text, std::string_view type = "") const;
  /// Returns the C++ expression for the address in `[%1 + 8]`.
  std::optional<std::string> address(const std::string& text) const;

 private:
  const std::vector<AsmOperand>& operands_;
  std::set<std::string> registers_;
};

}  // namespace rafter::simt::build::ptx
