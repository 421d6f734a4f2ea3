// What PTX's instructions are given: registers, operands of the asm statement, numbers, addresses.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "executor/build/rewrite/ptx/ptx.hpp"

namespace rafter::simt::build::ptx {

using Words = std::vector<std::string>;

/// Without white space at its ends.
std::string stripped(std::string_view text);
/// At a character that is in no brackets; the parts are stripped.
Words split(std::string_view text, char at);

class Operands {
 public:
  explicit Operands(const std::vector<AsmOperand>& operands) : operands_(operands) {}

  /// A register that the code declares.
  void declare(const std::string& name) { registers_.insert(name); }

  /// The C++ for a register, an operand or a number.
  std::optional<std::string> value(const std::string& text, std::string_view type = "") const;
  /// `[%1 + 8]` as an address.
  std::optional<std::string> address(const std::string& text) const;

 private:
  const std::vector<AsmOperand>& operands_;
  std::set<std::string> registers_;
};

}  // namespace rafter::simt::build::ptx
