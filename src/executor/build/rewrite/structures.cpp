// Emits the sizes and alignments of the structures that sources define. An access that moves a whole structure does not
// carry the alignment that the compiler relied on. The counters need it to compute how many loads a GPU issues, and the
// checkers to decide whether 16 bytes may be at a multiple of 8 (check/wide_types.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

struct Structure {
  std::string name;  // in a form that can be written after the definition
  int end;           // the semicolon
};

bool is_record(const Tokens& tokens, int i) {
  return tokens[i].directive == 0 && !tokens.is(i - 1, "enum") &&
         (tokens.is(i, "struct") || tokens.is(i, "class") || tokens.is(i, "union"));
}

/// Reads the definition that the `struct` at `i` begins: `struct NAME {...};` or `typedef struct {...} NAME;`.
std::optional<Structure> read_structure(const Tokens& tokens, int i) {
  int at = i + 1;
  while (skip_attribute(tokens, at) > at) at = skip_attribute(tokens, at);
  const int tag = tokens.is_identifier(at) ? at : -1;
  while (!tokens.is(at, "{")) {
    const bool is_head = tokens[at].directive == 0 &&
                         (tokens.is_identifier(at) || tokens.is(at, ":") || tokens.is(at, "::") || tokens.is(at, ","));
    if (!is_head) return std::nullopt;
    ++at;
  }
  const int close = tokens.partner(at);
  if (close < 0) return std::nullopt;
  const bool is_typedef = tokens.is(i - 1, "typedef");
  const int name = is_typedef ? close + 1 : tag, end = is_typedef ? close + 2 : close + 1;
  if (!tokens.is_identifier(name) || !tokens.is(end, ";") || tokens[end].directive != 0) return std::nullopt;
  return Structure{(is_typedef ? "" : "struct ") + std::string(tokens.text(name)), end};
}

// A structure of two doubles may be at a multiple of 8 and then needs two loads; CUDA's own 16-byte types need one. In
// a file that names those types an access may be either, and counts as the better one.
bool names_vectors(const Tokens& tokens) {
  constexpr std::array<std::string_view, 6> types{"float4", "double2", "int4", "uint4", "longlong2", "ulonglong2"};
  for (int i = 0; i < tokens.size(); ++i) {
    std::string_view text = tokens.text(i);
    if (text.starts_with("make_")) text.remove_prefix(5);
    if (std::find(types.begin(), types.end(), text) != types.end()) return true;
  }
  return false;
}

/// Returns the definition of a pair of numbers: a size and an alignment, or 0 and the alignment that 16-byte types may
/// have.
std::string type_entry(const std::string& name, const std::string& size, const std::string& alignment) {
  return fmt::format(
      " namespace {{ __attribute__((section(\"rafter_types\"), used)) const unsigned "
      "rafter_simt_type_{}[] = {{{}, {}}}; }}",
      name, size, alignment);
}

}  // namespace

void note_structures(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  const char* of_vector = names_vectors(tokens) ? "16" : "8";
  const std::size_t file = std::hash<std::string>()(pass.path);
  for (int i = 0; i < tokens.size(); ++i) {
    if (!is_record(tokens, i) || pass.scopes.of(i).kind != ScopeKind::file) continue;
    const int first = pass.scopes.statement(i);
    const bool is_template = tokens.is(first, "template");
    if (first != i && !(first == i - 1 && tokens.is(first, "typedef")) && !is_template) continue;  // a variable's type
    const auto structure = read_structure(tokens, i);
    if (!structure) continue;
    const std::string& name = structure->name;
    const std::string is_loose = fmt::format("sizeof({0}) == 16 && alignof({0}) == 8 ? ", name);
    const std::string key = fmt::format("{:x}_{}", file, i);
    // A template's structures are unknown here: any 16-byte type may be one of them.
    if (!is_template)
      pass.insert_after(structure->end,
                        type_entry(key, "sizeof(" + name + ")", is_loose + of_vector + " : alignof(" + name + ")"));
    pass.insert_after(structure->end, type_entry(key + "_at", "0", is_template ? "8" : is_loose + "8 : 16"));
  }
}

}  // namespace rafter::simt::build
