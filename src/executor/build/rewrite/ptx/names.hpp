// The words of PTX that the translator knows. The instructions are those of base/ptx_instructions.def.
#pragma once

#include <map>
#include <string_view>

namespace rafter::simt::build::ptx {

/// The way an instruction is called: with a destination as the first operand, or without one.
enum class Form { value, carry, load, store, atomic, reduction };

struct Instruction {
  std::string_view name;      // without types and hints
  std::string_view function;  // of rafter_simt/ptx.hpp
  int n_operands;             // including the destination
  Form form;
};

/// Returns the instruction with this name, without types and hints; nullptr if it is not translated.
const Instruction* find_instruction(std::string_view name);
/// Maps PTX types such as `u32` to C++ types.
const std::map<std::string_view, std::string_view>& types();
/// Whether a word is a hint or default that changes nothing here: caches, spaces, the rounding of exact results.
bool is_hint(std::string_view word);
/// Maps memory orders such as `acquire` to those of the `__nv_atomic` functions.
const std::map<std::string_view, std::string_view>& orders();
/// Maps special registers such as `%laneid` to C++ expressions.
const std::map<std::string_view, std::string_view>& special_registers();

}  // namespace rafter::simt::build::ptx
