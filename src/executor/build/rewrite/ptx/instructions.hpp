// Translates one PTX instruction to a call of a function in rafter_simt/ptx.hpp.
#pragma once

#include <optional>
#include <string>

#include "executor/build/rewrite/ptx/operands.hpp"

namespace rafter::simt::build::ptx {

/// Returns the C++ statement. `name` is the instruction's name split at the dots: {"add", "u32"}. Returns nothing if
/// this form is not supported.
std::optional<std::string> translate_instruction(const Operands& all, const Words& name, const Words& operands);

}  // namespace rafter::simt::build::ptx
