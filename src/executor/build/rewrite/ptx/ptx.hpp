// Translates common inline PTX to C++: `asm("add.u32 %0, %1, %2;" ...)` becomes a lambda that is called with the
// operands. rafter_simt/ptx.hpp implements the instructions.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rafter::simt::build {

/// An operand of an asm statement: its constraint ("=r", "+f", "l") and its name, if it has one.
struct AsmOperand {
  std::string constraint, name;

  bool is_written() const { return constraint[0] == '=' || constraint[0] == '+'; }
  bool is_read() const { return constraint[0] != '='; }
};

/// Returns the lambda's body, in which operand i is called `rafter_simt_i`, or nothing if an instruction is not
/// supported.
std::optional<std::string> translate_ptx(const std::string& code, const std::vector<AsmOperand>& operands);

}  // namespace rafter::simt::build
