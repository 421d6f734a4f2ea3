// The symbols of one side's assembly.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

namespace rafter::simt::build {

struct Symbol {
  bool is_defined = false;
  bool is_function = false;
  bool is_exported = false;  // visible to other objects
  bool is_weak = false;
  bool is_marked = false;              // a kernel, or a function for the device only (rafter_simt/launch/sides.hpp)
  bool is_used = false;                // in instructions or data
  std::string_view section;            // of the definition
  std::vector<std::string_view> uses;  // the symbols in its instructions or data
};
using Symbols = std::unordered_map<std::string_view, Symbol>;

/// The entry of `Symbols` whose uses are the static initialisers.
inline constexpr std::string_view initialisers = ".init_array";

/// Reads the symbols of an assembly text, which must outlive them.
Symbols read_symbols(std::string_view assembly);

/// Calls f(name, position in the line) for each word of a line's operands that can be a symbol.
template <class F>
void for_operands(std::string_view line, F f);

/// Whether a section contains the addresses of functions that run at the start or the end of the program.
inline bool is_initialisers(std::string_view section) {
  return section.starts_with(initialisers) || section.starts_with(".fini_array") || section.starts_with(".ctors") ||
         section.starts_with(".dtors");
}

/// The section in which the compiler lists the functions that are marked.
inline constexpr std::string_view mark_section = "__patchable_function_entries";

inline bool is_symbol_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$';
}

template <class F>
void for_operands(std::string_view line, F f) {
  std::size_t at = line.find_first_not_of(" \t");
  while (at < line.size() && is_symbol_char(line[at])) ++at;  // the instruction or directive
  while (at < line.size()) {
    const char c = line[at];
    if (c == '"') {
      for (++at; at < line.size() && line[at] != '"'; ++at) at += line[at] == '\\' ? 1 : 0;
      ++at;
    } else if (is_symbol_char(c)) {
      const std::size_t begin = at;
      while (at < line.size() && is_symbol_char(line[at])) ++at;
      const bool is_register = begin > 0 && line[begin - 1] == '%';
      const bool is_name = !(c >= '0' && c <= '9') && !line.substr(begin).starts_with(".L");
      if (is_name && !is_register) f(line.substr(begin, at - begin), begin);
    } else {
      ++at;
    }
  }
}

}  // namespace rafter::simt::build
