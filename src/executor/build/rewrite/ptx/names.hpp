// The words of PTX that the translator knows.
#pragma once

#include <map>
#include <string_view>

namespace rafter::simt::build::ptx {

/// How an instruction is called: with its destination first, which it writes, or without one.
enum class Form { value, carry, load, store, atomic, reduction };

struct Instruction {
  std::string_view name;      // without types and hints
  std::string_view function;  // of rafter_simt/ptx.hpp
  int n_operands;             // with the destination
  Form form;
};

/// By its name without types and hints; nullptr: not known.
const Instruction* find_instruction(std::string_view name);
/// C++'s for `u32` and so on.
const std::map<std::string_view, std::string_view>& types();
/// Hints and defaults that change nothing here: caches, spaces, the rounding of exact results.
bool is_hint(std::string_view word);
/// What `acquire` and so on are for `__nv_atomic` functions.
const std::map<std::string_view, std::string_view>& orders();
/// What `%laneid` and so on are in C++.
const std::map<std::string_view, std::string_view>& special_registers();

}  // namespace rafter::simt::build::ptx
