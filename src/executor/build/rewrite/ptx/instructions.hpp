// One instruction of PTX as C++, by the functions of rafter_simt/ptx.hpp.
#pragma once

#include <optional>
#include <string>

#include "executor/build/rewrite/ptx/operands.hpp"

namespace rafter::simt::build::ptx {

/// `name` is its name at the dots, {"add", "u32"}; nothing when it is not known in this form.
std::optional<std::string> translate_instruction(const Operands& all, const Words& name, const Words& operands);

}  // namespace rafter::simt::build::ptx
