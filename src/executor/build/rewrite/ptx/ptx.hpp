// Inline PTX of the commonest kinds as C++: `asm("add.u32 %0, %1, %2;" ...)` becomes a lambda that is called with the
// operands. rafter_simt/ptx.hpp has what the instructions do.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rafter::simt::build {

/// An operand of an asm statement: "=r", "+f", "l"; and its name, where it has one.
struct AsmOperand {
  std::string constraint, name;

  bool is_written() const { return constraint[0] == '=' || constraint[0] == '+'; }
  bool is_read() const { return constraint[0] != '='; }
};

/// The lambda's body, which calls operand i `rafter_simt_i`; nothing when an instruction is not known.
std::optional<std::string> translate_ptx(const std::string& code, const std::vector<AsmOperand>& operands);

}  // namespace rafter::simt::build
