#include "executor/build/rewrite/kernels.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "executor/build/rewrite/lexer.hpp"
#include "executor/build/rewrite/rewrite_passes.hpp"
#include "executor/build/rewrite/scopes.hpp"

namespace rafter::simt::build {

namespace {

void add_parameter(const Tokens& tokens, int first, int last, Kernel& kernel) {
  int end = first;  // before a default value
  while (end <= last && !tokens.is(end, "=")) ++end;
  int name = end - 1;
  while (name > first && tokens.is(name, "]")) name = tokens.partner(name) - 1;
  // The last word is the name unless it is part of the type: `float*`, `int`, `a::b`.
  const bool named =
      name > first && tokens.is_identifier(name) && !tokens.is(name - 1, "::") && !tokens.is(name, "const");
  std::string type;
  bool is_restrict = false, is_const = false;  // of what the pointer points to
  for (int i = first; i < end; ++i) {
    is_restrict = is_restrict || tokens.text(i).starts_with("__restrict") || tokens.is(i, "restrict");
    is_const = is_const || (tokens.is(i, "const") && type.find('*') == std::string::npos);
    if (named && i == name) continue;
    if (tokens.is(i, "__restrict__") || tokens.is(i, "__grid_constant__")) continue;
    type += (type.empty() ? "" : " ") + std::string(tokens.text(i));
  }
  kernel.types.push_back(type);
  kernel.read_only.push_back(is_restrict && is_const);
  kernel.parameters.emplace_back(named ? tokens.text(name) : "");
}

void read_parameters(const Tokens& tokens, int open, Kernel& kernel) {
  const int close = tokens.partner(open);
  int first = open + 1;
  if (first == close || (first + 1 == close && tokens.is(first, "void"))) return;
  for (int i = first; i <= close; ++i) {
    if (i == close || tokens.is(i, ",")) {
      add_parameter(tokens, first, i - 1, kernel);
      first = i + 1;
    } else if (tokens.is(i, "(") || tokens.is(i, "{") || tokens.is(i, "[")) {
      i = std::max(i, tokens.partner(i));
    } else if (tokens.is(i, "<")) {
      i = std::max(i, tokens.close_angle(i));
    }
  }
}

/// Returns the built-in type written in place of void before a kernel's name, or an empty string.
std::string returned_number(const Tokens& tokens, int first, int last) {
  constexpr std::array<std::string_view, 7> types{"int", "float", "double", "bool", "long", "unsigned", "auto"};
  std::string found;
  for (int i = first; i <= last; ++i) {
    if (tokens.is(i, "<")) i = std::max(i, tokens.close_angle(i));  // template <int N>
    if (const int after = skip_attribute(tokens, i); after > i) i = after - 1;
    if (tokens.is(i, "void")) return "";
    if (std::find(types.begin(), types.end(), tokens.text(i)) != types.end()) found = tokens.text(i);
  }
  return found;
}

/// The head of a kernel.
struct KernelHead {
  int name, open;  // the token of its name, and the parenthesis before its parameters
};

/// Returns the head of the kernel whose __global__ is at `i`.
std::optional<KernelHead> head_at(const Tokens& tokens, int i) {
  if (!tokens.is(i, "__global__") || tokens[i].directive != 0) return std::nullopt;
  int open = i + 1;
  for (; open < tokens.size() && !tokens.is(open, "(") && !tokens.is(open, ";") && !tokens.is(open, "{"); ++open) {
    if (const int after = skip_attribute(tokens, open); after > open) open = after - 1;
  }
  if (!tokens.is(open, "(") || tokens.partner(open) < 0) return std::nullopt;
  int name = open - 1;
  if (tokens.is(name, ">")) name = tokens.open_angle(name) - 1;  // a specialisation
  return tokens.is_identifier(name) ? std::optional(KernelHead{name, open}) : std::nullopt;
}

}  // namespace

std::vector<KernelBody> kernel_bodies(const Tokens& tokens) {
  std::vector<KernelBody> bodies;
  for (int i = 0; i < tokens.size(); ++i) {
    const auto head = head_at(tokens, i);
    if (!head) continue;
    const int open = tokens.partner(head->open) + 1;
    if (tokens.is(open, "{") && tokens.partner(open) > 0) bodies.push_back({open, tokens.partner(open)});
  }
  return bodies;
}

std::string enclosing_namespaces(const Tokens& tokens, int i) {
  std::string prefix;
  for (int brace = 0; brace < i; ++brace) {
    if (!tokens.is(brace, "{") || tokens.partner(brace) < i) continue;
    int first = brace;
    while (tokens.is_identifier(first - 1) || tokens.is(first - 1, "::")) --first;
    while (first < brace && (tokens.is(first, "inline") || tokens.is(first, "extern"))) ++first;
    if (tokens.is(first, "namespace") && first + 1 < brace) prefix += tokens.flat(first + 1, brace - 1) + "::";
  }
  return prefix;
}

std::vector<Kernel> find_kernels(const std::string& text) {
  const Tokens tokens(text);
  const Scopes scopes(tokens);
  std::vector<Kernel> kernels;
  for (int i = 0; i < tokens.size(); ++i) {
    const auto head = head_at(tokens, i);
    if (!head) continue;
    const auto [name, open] = *head;
    Kernel kernel{enclosing_namespaces(tokens, i) + std::string(tokens.text(name)), false, tokens[name].line, {}, {}};
    for (int at = scopes.statement(i); at < i; ++at)
      kernel.is_template = kernel.is_template || tokens.is(at, "template");
    read_parameters(tokens, open, kernel);
    kernel.returns = returned_number(tokens, scopes.statement(i), name - 1);
    const auto same = std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& other) {
      return other.name == kernel.name && (other.types == kernel.types || (other.is_template && kernel.is_template));
    });
    if (same == kernels.end())
      kernels.push_back(kernel);
    else if (tokens.is(tokens.partner(open) + 1, "{"))
      *same = kernel;  // the definition's names take precedence
  }
  return kernels;
}

std::vector<Kernel> find_host_functions(const std::string& text, const std::string& name) {
  const Tokens tokens(text);
  const Scopes scopes(tokens);
  std::vector<Kernel> found;
  for (int i = 1; i < tokens.size(); ++i) {
    const bool is_head = tokens.is(i, name) && tokens.is(i + 1, "(") && tokens.is(tokens.partner(i + 1) + 1, "{") &&
                         scopes.of(i).kind == ScopeKind::file && tokens[i].directive == 0;
    if (!is_head) continue;
    bool is_for_device = false;
    for (int at = scopes.statement(i); at < i; ++at)
      is_for_device = is_for_device || tokens.is(at, "__global__") || tokens.is(at, "__device__");
    if (is_for_device) continue;
    Kernel function{enclosing_namespaces(tokens, i) + name, false, tokens[i].line, {}, {}};
    read_parameters(tokens, i + 1, function);
    found.push_back(function);
  }
  return found;
}

void note_parameters(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  for (int i = 0; i < tokens.size(); ++i) {
    const auto head = head_at(tokens, i);
    const int first = pass.scopes.statement(i);
    if (!head || pass.scopes.of(i).kind != ScopeKind::file || tokens[first].directive != 0) continue;
    Kernel kernel{std::string(tokens.text(head->name)), false, 0, {}, {}};
    read_parameters(tokens, head->open, kernel);
    std::string entry = kernel.name;
    for (std::size_t at = 0; at < kernel.parameters.size(); ++at)
      entry += (kernel.read_only[at] ? ",!" : ",") + kernel.parameters[at];
    pass.insert_before(first,
                       R"(asm(".pushsection rafter_parameters,\"a\"\n.asciz \")" + entry + R"(\"\n.popsection"); )");
  }
}

}  // namespace rafter::simt::build
