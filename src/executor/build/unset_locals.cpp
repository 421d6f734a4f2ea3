#include "executor/build/unset_locals.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/files.hpp"
#include "executor/build/rewrite/kernels.hpp"
#include "executor/build/rewrite/scopes.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// A function's body, as the token indices of its braces.
struct Body {
  int open, close;
};

/// Returns the body of the device function that contains a line.
std::optional<Body> device_function(const Tokens& tokens, const Scopes& scopes, int line) {
  for (int i = 0; i < tokens.size(); ++i) {
    const int close = tokens.partner(i);
    if (!tokens.is(i, "{") || close < i) continue;
    const Scope &before = scopes.of(i), &inside = scopes.of(i + 1);
    const bool is_function = before.kind != ScopeKind::function && inside.kind == ScopeKind::function;
    if (is_function && inside.device && tokens[i].line <= line && line <= tokens[close].line) return Body{i, close};
  }
  return std::nullopt;
}

/// Whether the argument list around token `i` belongs to a function that takes it by value: a CUDA function or printf.
bool is_passed_by_value(const Tokens& tokens, int i) {
  int open = i;
  for (int depth = 0; open > 0 && (depth > 0 || !tokens.is(open, "(")); --open) {
    if (tokens.is(open, ")")) ++depth;
    if (tokens.is(open, "(")) --depth;
  }
  const std::string_view name = tokens.text(open - 1);
  return tokens.is_identifier(open - 1) && (name.starts_with("__") || name.starts_with("make_") || name == "printf");
}

/// Whether nothing in the function can give the variable its first value: no plain assignment (`s += x` does not
/// count), no address or reference taken, no call that may set it.
bool is_never_set(const Tokens& tokens, const Body& body, std::string_view name) {
  for (int i = 0; i < tokens.size(); ++i) {
    if (tokens[i].directive != 0 && tokens.is(i, name)) return false;  // a macro may set it
  }
  for (int i = body.open; i < body.close; ++i) {
    if (tokens.is(i, "[") && tokens.is(i + 1, "&")) return false;  // a lambda that captures by reference may set it
    if (!tokens.is(i, name)) continue;
    int after = i + 1;
    while (tokens.is(after, "[")) after = tokens.partner(after) + 1;
    const bool is_operand = tokens.is_identifier(i - 2) || tokens.is(i - 2, ")") || tokens.is(i - 2, "]");
    const bool is_address = tokens.is(i - 1, "&") && !is_operand;
    const bool is_bound = tokens.is(i - 1, "=") && tokens.is(i - 3, "&");
    const bool is_argument = tokens.is(i - 1, "(") || (tokens.is(i - 1, ",") && !tokens.is(after, ";")) ||
                             (tokens.is(after, ",") && !tokens.is_identifier(i - 1));
    const bool is_member = tokens.is(after, ".") || tokens.is(i - 1, ">>");
    const bool is_declared_so = tokens.is(after, "{") || tokens.is(after, "(");
    if (tokens.is(after, "=") || is_address || is_bound || is_member || is_declared_so) return false;
    if (is_argument && !is_passed_by_value(tokens, i)) return false;
  }
  return true;
}

bool is_number_type(std::string_view word) {
  constexpr std::array<std::string_view, 10> words{"float", "double", "int",  "unsigned", "long",
                                                   "short", "char",   "bool", "size_t",   "int64_t"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns the line of the first `s += x` or `++s` in a body, or 0.
int first_update(const Tokens& tokens, const Body& body, std::string_view name) {
  constexpr std::array<std::string_view, 9> updates{"+=", "-=", "*=", "/=", "|=", "^=", "&=", "++", "--"};
  const auto is_update = [&](int i) {
    return std::find(updates.begin(), updates.end(), tokens.text(i)) != updates.end();
  };
  for (int i = body.open; i < body.close; ++i) {
    if (tokens.is(i, name) && (is_update(i + 1) || tokens.is(i - 1, "++") || tokens.is(i - 1, "--")))
      return tokens[i].line;
  }
  return 0;
}

/// Adds variables declared as `float s;` and then only updated with `s += x`. The tokens show that, and the compiler
/// does not report it for code in headers.
void add_never_set(const std::string& file, const std::string& text, std::vector<UnsetLocal>& all) {
  const Tokens tokens(text);
  const Scopes scopes(tokens);
  for (int i = 1; i + 1 < tokens.size(); ++i) {
    const bool is_declared = tokens.is_identifier(i) && is_number_type(tokens.text(i - 1)) && tokens.is(i + 1, ";");
    if (!is_declared || !is_number_type(tokens.text(scopes.statement(i))) || !scopes.of(i).device) continue;
    const auto body = device_function(tokens, scopes, tokens[i].line);
    const std::string name(tokens.text(i));
    if (!body || i < body->open || !is_never_set(tokens, *body, name)) continue;
    if (const int line = first_update(tokens, *body, name); line > 0)
      all.push_back({file, line, tokens[i].line, name, "", true});
  }
}

/// Fills in the kernel and the certainty from the source. Returns false if the line is not in device code.
bool is_for_device(UnsetLocal& local, const std::string& text) {
  const Tokens tokens(text);
  const Scopes scopes(tokens);
  const auto body = device_function(tokens, scopes, local.line);
  if (!body) return false;
  const int first = tokens[scopes.statement(body->open)].line, last = tokens[body->open].line;
  for (const Kernel& kernel : find_kernels(text)) {
    if (first <= kernel.line && kernel.line <= last) local.kernel = kernel.name;
  }
  if (!is_never_set(tokens, *body, local.name)) return true;
  local.is_certain = true;
  // The compiler names a later use than the first if it optimised the first away.
  const int line = local.line;
  for (int i = body->open; i < body->close && local.declared > 0 && local.line == line; ++i) {
    const bool is_use = tokens.is(i, local.name) && tokens[i].line > local.declared && tokens[i].line < line;
    if (is_use) local.line = tokens[i].line;
  }
  return true;
}

/// Calls f with every diagnostic in a compiler's output: g++ writes a line with a JSON array for each source.
template <class F>
void for_diagnostics(const std::string& output, F&& f) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const json list = line.starts_with("[") ? json::parse(line, nullptr, false) : json();
    if (!list.is_array()) continue;
    for (const json& one : list) {
      if (one.is_object()) f(one);
    }
  }
}

/// Returns the file and line of a diagnostic, or nothing if it has none.
std::optional<std::pair<std::string, int>> place_of(const json& diagnostic) {
  const json places = diagnostic.value("locations", json::array());
  if (places.empty() || !places[0].contains("caret")) return std::nullopt;
  const json& caret = places[0]["caret"];
  return std::pair{caret.value("file", ""), caret.value("line", 0)};
}

/// Returns the variable that a message quotes first, as in "'sum[3]' is used uninitialized". The words around it depend
/// on the compiler's version and language.
std::string quoted_name(const std::string& message) {
  constexpr std::string_view curly = "\u2018";
  std::size_t begin = message.find('\'');
  if (const std::size_t other = message.find(curly); other < begin) begin = other + curly.size() - 1;
  if (begin == std::string::npos) return "";
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto first = message.begin() + static_cast<std::ptrdiff_t>(begin) + 1;
  return {first, std::find_if_not(first, message.end(), is_part)};
}

const std::string* text_of(const std::string& file, const std::map<fs::path, std::string>& texts) {
  std::error_code error;
  const auto found = texts.find(fs::canonical(file, error));
  return error || found == texts.end() ? nullptr : &found->second;
}

}  // namespace

std::vector<UnsetLocal> find_unset_locals(const std::string& output, const std::map<fs::path, std::string>& texts) {
  std::vector<UnsetLocal> all;
  for_diagnostics(output, [&](const json& warning) {
    const std::string option = warning.value("option", "");
    const bool is_certain = option == "-Wuninitialized";
    const auto use = place_of(warning);
    const std::string name = quoted_name(warning.value("message", ""));
    if ((!is_certain && option != "-Wmaybe-uninitialized") || !use || name.empty()) return;
    UnsetLocal local{use->first, use->second, 0, name, "", is_certain};
    for (const json& note : warning.value("children", json::array())) {
      const auto declared = place_of(note);
      if (declared && quoted_name(note.value("message", "")) == name) local.declared = declared->second;
    }
    all.push_back(std::move(local));
  });
  for (const auto& [path, text] : texts) add_never_set(path.string(), text, all);
  std::erase_if(all, [&](UnsetLocal& local) {
    const std::string* text = text_of(local.file, texts);
    return text == nullptr || !is_for_device(local, *text);
  });
  // Remove duplicates: instances of a template, and variables found in both ways.
  for (UnsetLocal& local : all) local.file = fs::canonical(local.file).string();
  const auto place = [](const UnsetLocal& local) {
    return std::tie(local.file, local.declared, local.name, local.line);
  };
  std::sort(all.begin(), all.end(), [&](const UnsetLocal& a, const UnsetLocal& b) { return place(a) < place(b); });
  all.erase(std::unique(all.begin(), all.end(),
                        [&](const UnsetLocal& a, const UnsetLocal& b) { return place(a) == place(b); }),
            all.end());
  return all;
}

void save_unset_locals(const fs::path& cache, const std::string& key, const std::vector<UnsetLocal>& locals) {
  const fs::path folder = cache / "unset";
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    // also matches files that another process is writing (NewFile)
    const fs::path program = cache / entry.path().stem();
    if (!fs::exists(program, error)) fs::remove(entry.path(), error);
  }
  if (locals.empty()) return;
  json list = json::array();
  for (const UnsetLocal& local : locals) {
    list.push_back({{"file", local.file},
                    {"line", local.line},
                    {"declared", local.declared},
                    {"name", local.name},
                    {"kernel", local.kernel},
                    {"is_certain", local.is_certain}});
  }
  fs::create_directories(folder, error);
  base::write_file(folder / key, list.dump());
}

std::vector<UnsetLocal> load_unset_locals(const fs::path& cache, const std::string& key) {
  const json list = json::parse(base::read_file(cache / "unset" / key).value_or("[]"), nullptr, false);
  std::vector<UnsetLocal> locals;
  if (!list.is_array()) return locals;
  for (const json& one : list) {
    locals.push_back({one.value("file", ""), one.value("line", 0), one.value("declared", 0), one.value("name", ""),
                      one.value("kernel", ""), one.value("is_certain", false)});
  }
  return locals;
}

}  // namespace rafter::simt::build
