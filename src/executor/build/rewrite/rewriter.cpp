#include "executor/build/rewrite/rewriter.hpp"

#include <array>

#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

bool names_volatile(const Tokens& tokens) {
  for (int i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::identifier || tokens.text(i) != "volatile") continue;
    const std::string_view before = tokens.text(i - 1);  // `asm volatile` does not concern shared data
    if (before != "asm" && before != "__asm__" && before != "__asm") return true;
  }
  return false;
}

bool names_inter_block(const Tokens& tokens) {
  for (int i = 0; i < tokens.size(); ++i) {
    const std::string_view text = tokens.text(i);
    if (tokens[i].kind != TokenKind::identifier) continue;
    const bool fence = text.starts_with("__threadfence") || text == "__nanosleep";
    const bool grid = text == "this_grid" || text == "grid_group" || text == "cudaLaunchCooperativeKernel";
    const bool atomic =
        text.starts_with("atomic") && (tokens.is(i + 1, "(") || tokens.is(i + 1, "<") || text.starts_with("atomic_"));
    const bool wide = text == "thread_scope_device" || text == "thread_scope_system";
    const bool synchronises = text == "latch" || text == "counting_semaphore" || text == "binary_semaphore" ||
                              (text == "barrier" && tokens.is(i - 1, "::") && tokens.is(i - 2, "std"));
    if (fence || grid || atomic || wide || synchronises) return true;
  }
  return false;
}

/// Whether the file calls texture or surface functions. A false positive only costs reading a header.
bool names_textures(const Tokens& tokens) {
  constexpr auto beginnings = std::to_array<std::string_view>(
      {"tex1D", "tex2D", "tex3D", "texCubemap", "surf1D", "surf2D", "surf3D", "surfCubemap"});
  for (int i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::identifier) continue;
    for (std::string_view beginning : beginnings) {
      if (tokens.text(i).starts_with(beginning)) return true;
    }
  }
  return false;
}

/// Whether device code has local arrays, or the file has constant tables: `float window[4];`, `const int t[] =`. Shared
/// arrays do not count. A false positive is harmless.
bool declares_arrays(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  for (int i = 2; i < tokens.size(); ++i) {
    if (!tokens.is(i, "[") || !tokens.is_identifier(i - 1)) continue;
    const bool after_type = (tokens.is_identifier(i - 2) && !tokens.is(i - 2, "return") && !tokens.is(i - 2, "else")) ||
                            tokens.is(i - 2, ">") || tokens.is(i - 2, ",");
    if (!after_type) continue;
    bool is_const = false, is_shared = false;
    for (int at = pass.scopes.statement(i); at < i; ++at) {
      is_const = is_const || tokens.is(at, "const") || tokens.is(at, "constexpr");
      is_shared = is_shared || tokens.is(at, "__shared__") || tokens.is(at, "extern");
    }
    const Scope& scope = pass.scopes.of(i);
    const bool is_local = scope.kind == ScopeKind::function && scope.device;
    if (!is_shared && (is_local || (is_const && scope.kind != ScopeKind::function))) return true;
  }
  return false;
}

void redirect_includes(const Pass& pass, const RewriteOptions& options) {
  const Tokens& tokens = pass.tokens;
  for (int i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].directive == 0 || !tokens.is(i, "#") || !tokens.is(i + 1, "include")) continue;
    const TokenKind kind = tokens[i + 2].kind;
    if (kind != TokenKind::header && kind != TokenKind::string) {
      pass.result.has_computed_include =
          pass.result.has_computed_include || tokens[i + 2].directive == tokens[i].directive;
      continue;
    }
    const std::string_view name = tokens.text(i + 2);
    if (!options.redirect || name.size() < 3) continue;
    const auto other = options.redirect({std::string(name.substr(1, name.size() - 2)), kind == TokenKind::header});
    if (other) pass.edits.replace(tokens[i + 2].begin, tokens[i + 2].end, "\"" + *other + "\"");
  }
}

std::string quoted(const std::string& path) {
  std::string result = "\"";
  for (char c : path) result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result + "\"";
}

}  // namespace

std::vector<Include> includes(const Tokens& tokens) {
  std::vector<Include> found;
  for (int i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].directive == 0 || !tokens.is(i, "#") || !tokens.is(i + 1, "include")) continue;
    const TokenKind kind = tokens[i + 2].kind;
    const std::string_view name = tokens.text(i + 2);
    if ((kind != TokenKind::header && kind != TokenKind::string) || name.size() < 3) continue;
    found.push_back({std::string(name.substr(1, name.size() - 2)), kind == TokenKind::header});
  }
  return found;
}

// The file may also be included from C.
std::string include_lines(const std::string& header) {
  return "#if defined(__cplusplus) && __has_include(\"" + header + "\")\n#include \"" + header + "\"\n#endif\n";
}

Rewritten rewrite(const std::string& text, const std::string& path, const RewriteOptions& options) {
  const Tokens tokens(text);
  const Scopes scopes(tokens);
  Macros macros = options.macros;
  collect_macros(tokens, macros);
  Edits edits;
  Rewritten result{};
  const Pass pass{tokens, scopes, macros, options, path, edits, result};
  find_refusals(pass);
  find_host_code(pass);
  rewrite_loops(pass);
  rewrite_launches(pass);
  rewrite_kernel_addresses(pass);
  rewrite_shared(pass);
  rewrite_declarations(pass);
  rewrite_casts(pass);
  rewrite_copy_elision(pass);
  rewrite_template_names(pass);
  rewrite_architecture(pass);
  rewrite_shifts(pass);
  rewrite_discards(pass);
  rewrite_spins(pass);
  count_iterations(pass);
  mark_departures(pass);
  mark_shuffled_variables(pass);
  if (options.structures) {
    note_structures(pass);
    note_parameters(pass);
  }
  redirect_includes(pass, options);
  const bool uses_textures = names_textures(tokens);
  result.changed = !edits.empty() || uses_textures;
  result.names_volatile = names_volatile(tokens);
  result.declares_arrays = declares_arrays(pass);
  result.inter_block = result.names_volatile || result.uses_ptx || result.has_spins || names_inter_block(tokens);
  if (result.has_lanes) result.headers.emplace_back("rafter_simt/lanes/control.hpp");
  if (result.uses_ptx) result.headers.emplace_back("rafter_simt/ptx.hpp");
  if (uses_textures) result.headers.emplace_back("rafter_simt/textures.hpp");
  std::string preamble;
  for (const std::string& header : result.headers) preamble += include_lines(header);
  result.text = preamble + "#line 1 " + quoted(path) + "\n" + edits.apply(text);
  return result;
}

}  // namespace rafter::simt::build
