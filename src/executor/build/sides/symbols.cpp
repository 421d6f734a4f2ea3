#include "executor/build/sides/symbols.hpp"

#include <string>

#include "executor/build/sides/assembly_lines.hpp"

namespace rafter::simt::build {

namespace {

/// Whether a directive only describes symbols.
bool is_attribute(std::string_view word) {
  return word == ".size" || word == ".hidden" || word == ".protected" || word == ".internal" || word == ".local";
}

/// Whether the operands of a directive are not symbols.
bool is_note(std::string_view word) {
  return word == ".loc" || word == ".file" || word == ".ident" || word == ".align" || word == ".p2align" ||
         word == ".string" || word == ".ascii" || word == ".zero" || word == ".byte" || word == ".symver" ||
         word == ".weakref";
}

class Reader {
 public:
  Symbols read(std::string_view assembly) {
    while (!assembly.empty()) line(take_line(assembly));
    for (const auto& [alias, target] : aliases_) {
      symbols_[alias].is_function = symbols_[target].is_function;
      symbols_[alias].section = symbols_[target].section;
    }
    return std::move(symbols_);
  }

 private:
  static std::string_view first_operand(std::string_view line) {
    std::string_view found;
    for_operands(line, [&](std::string_view name, std::size_t) { found = found.empty() ? name : found; });
    return found;
  }

  void line(std::string_view line) {
    const std::string_view word = first_word(line);
    if (word.empty() || is_note(word) || is_attribute(word) || word.starts_with(".cfi_") || word.starts_with("#"))
      return;
    if (is_label(line)) return label(word.substr(0, word.size() - 1));
    if (is_section(word)) {
      // `__device__ __shared__` variables are thread-local in a section of device variables.
      section_ = line.find("\"awT") == std::string_view::npos ? section_name(line) : ".tbss";
      if (section_ == mark_section) symbols_[function_].is_marked = true;
    } else if (word == ".globl" || word == ".global" || word == ".weak") {
      Symbol& symbol = symbols_[first_operand(line)];
      symbol.is_exported = true;
      symbol.is_weak = word == ".weak";
    } else if (word == ".type") {
      symbols_[first_operand(line)].is_function = line.find("function") != std::string_view::npos;
    } else if (word == ".comm" || word == ".lcomm") {
      define(first_operand(line), ".bss");
      symbols_[first_operand(line)].is_exported = true;
    } else if (word == ".set" || word == ".equ") {
      const std::string_view name = first_operand(line);
      define(name, section_);
      use(line, name);
      if (const auto& uses = symbols_[name].uses; !uses.empty()) aliases_.emplace_back(name, uses.back());
    } else {
      use(line, {});
    }
  }

  void label(std::string_view name) {
    if (name.starts_with(".L") || (name[0] >= '0' && name[0] <= '9')) return;
    define(name, section_);
    if (section_.starts_with(".text")) symbols_[name].is_function = true;  // inline assembly has no .type
    function_ = name;
  }

  void define(std::string_view name, std::string_view section) {
    if (name.empty()) return;
    Symbol& symbol = symbols_[name];
    symbol.is_defined = true;
    symbol.section = section;
  }

  void use(std::string_view line, std::string_view defined) {
    if (section_.starts_with(".debug") || section_ == mark_section) return;
    const std::string_view user = is_initialisers(section_) ? initialisers : !defined.empty() ? defined : function_;
    for_operands(line, [&](std::string_view name, std::size_t) {
      if (name == defined) return;
      symbols_[name].is_used = true;
      symbols_[user].uses.push_back(name);
    });
  }

  Symbols symbols_;
  std::vector<std::pair<std::string_view, std::string_view>> aliases_;  // and their targets
  std::string_view section_ = ".text", function_;
};

}  // namespace

Symbols read_symbols(std::string_view assembly) { return Reader().read(assembly); }

}  // namespace rafter::simt::build
