// Kernels as void pointers. The executor's runtime needs to have seen each kernel with its type.
#include <algorithm>
#include <array>
#include <set>

#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

bool is_void_pointer(const Tokens& tokens, int first, int last) {
  for (int at = first; at <= last; ++at) {
    if (!tokens.is(at, "void") && !tokens.is(at, "const") && !(tokens.is(at, "*") && at == last)) return false;
  }
  return last > first;
}

/// Returns the last token of a cast to a void pointer that begins at `i`, or -1.
int cast_end(const Tokens& tokens, int i) {
  if (tokens.is(i, "(") && tokens.partner(i) > 0 && is_void_pointer(tokens, i + 1, tokens.partner(i) - 1))
    return tokens.partner(i);
  if ((tokens.is(i, "reinterpret_cast") || tokens.is(i, "static_cast")) && tokens.is(i + 1, "<")) {
    const int close = tokens.close_angle(i + 1);
    if (close > 0 && is_void_pointer(tokens, i + 2, close - 1)) return close;
  }
  return -1;
}

/// Returns the names of the kernels that this file declares.
std::set<std::string_view> kernel_names(const Tokens& tokens) {
  std::set<std::string_view> names;
  for (int i = 0; i < tokens.size(); ++i) {
    if (!tokens.is(i, "__global__")) continue;
    for (int at = i + 1; at < tokens.size() && !tokens.is(at, ";") && !tokens.is(at, "{"); ++at) {
      if (!tokens.is(at, "(")) continue;
      if (!tokens.text(at - 1).starts_with("__") && tokens.is_identifier(at - 1)) {
        names.insert(tokens.text(at - 1));
        break;
      }
      at = std::max(at, tokens.partner(at));
    }
  }
  return names;
}

/// The tokens of `&`, a name with its namespaces and template arguments, and nothing else.
struct Operand {
  int first, name, last;
};

Operand operand_at(const Tokens& tokens, int i) {
  Operand found{i, -1, -1};
  int at = tokens.is(i, "&") ? i + 1 : i;
  if (tokens.is(at, "::")) ++at;
  while (tokens.is_identifier(at)) {
    found.name = found.last = at;
    if (tokens.is(at + 1, "<") && tokens.close_angle(at + 1) > 0) found.last = tokens.close_angle(at + 1);
    if (!tokens.is(found.last + 1, "::")) break;
    at = found.last + 2;
  }
  return found;
}

/// Registers the kernel in `(void*)kernel`, wherever it occurs: as the function of a graph node, or in a table.
void note_kernel(const Pass& pass, int i, const std::set<std::string_view>& names) {
  const Tokens& tokens = pass.tokens;
  const int cast = cast_end(tokens, i);
  if (cast < 0) return;
  const bool is_call = !tokens.is(i, "(");
  const Operand operand = operand_at(tokens, cast + 1 + (tokens.is(cast + 1, "(") ? 1 : 0));
  if (operand.name < 0 || (is_call && !tokens.is(cast + 1, "("))) return;
  const bool ends = tokens.is(operand.last + 1, ";") || tokens.is(operand.last + 1, ",") ||
                    tokens.is(operand.last + 1, ")") || tokens.is(operand.last + 1, "}");
  const bool is_node = tokens.is(i - 1, "=") && tokens.is(i - 2, "func");
  if (!ends || (!is_node && !names.contains(tokens.text(operand.name)))) return;
  pass.insert_before(operand.first, "::rafter_simt::known_kernel(");
  pass.insert_after(operand.last, ")");
}

}  // namespace

void rewrite_kernel_addresses(const Pass& pass) {
  constexpr std::array<std::string_view, 5> takes_kernel{"cudaLaunchKernel", "cudaLaunchCooperativeKernel",
                                                         "cudaFuncSetAttribute", "cudaFuncGetAttributes",
                                                         "cudaFuncSetCacheConfig"};
  const Tokens& tokens = pass.tokens;
  const std::set<std::string_view> names = kernel_names(tokens);
  for (int i = 0; i < tokens.size(); ++i) {
    const std::string_view text = tokens.text(i);
    if (!text.starts_with("cuda") || !tokens.is(i + 1, "(") || tokens.partner(i + 1) < 0) {
      note_kernel(pass, i, names);
      continue;
    }
    const bool occupancy = text.starts_with("cudaOccupancy");
    const bool first = std::find(takes_kernel.begin(), takes_kernel.end(), text) != takes_kernel.end();
    int part = 0;
    for (int at = i + 2; at < tokens.partner(i + 1); ++at) {  // these take kernels by their types
      const bool begins = tokens.is(at - 1, ",") || at == i + 2;
      const bool kernel = occupancy || (first && part == (text == "cudaFuncGetAttributes" ? 1 : 0));
      if (const int cast = begins && kernel ? cast_end(tokens, at) : -1; cast > 0) pass.erase(at, cast);
      if (tokens.is(at, ",")) ++part;
      if ((tokens.is(at, "(") || tokens.is(at, "{")) && tokens.partner(at) > at) at = tokens.partner(at);
    }
  }
}

}  // namespace rafter::simt::build
