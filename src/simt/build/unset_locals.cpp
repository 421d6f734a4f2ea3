#include "simt/build/unset_locals.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <sstream>

#include "base/files.hpp"
#include "simt/build/kernels.hpp"
#include "simt/build/scopes.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// A function's body, by its braces.
struct Body {
  int open, close;
};

/// The function for the device around a line.
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

/// Whether nothing in the function can be what gives the variable its first value: no assignment but `s += x` and its
/// kin, no address or reference taken, no call it is passed to.
bool is_never_set(const Tokens& tokens, const Body& body, const std::string& name) {
  for (int i = body.open; i < body.close; ++i) {
    if (tokens.is(i, "[") && tokens.is(i + 1, "&")) return false;  // a lambda that may do anything to it
    if (!tokens.is(i, name)) continue;
    int after = i + 1;
    while (tokens.is(after, "[")) after = tokens.partner(after) + 1;
    const bool is_operand = tokens.is_identifier(i - 2) || tokens.is(i - 2, ")") || tokens.is(i - 2, "]");
    const bool is_address = tokens.is(i - 1, "&") && !is_operand;
    const bool is_argument = tokens.is(i - 1, "(") || tokens.is(i - 1, ",") || tokens.is(after, ",");
    const bool is_member = tokens.is(after, ".") || tokens.is(i - 1, ">>");
    const bool is_declared_so = tokens.is(after, "{") || tokens.is(after, "(");
    if (tokens.is(after, "=") || is_address || is_argument || is_member || is_declared_so) return false;
  }
  return true;
}

/// Fills in what the source says about it; false when it is not the device's.
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
  // The compiler names a later use than the first, where it has made the first disappear.
  const int line = local.line;
  for (int i = body->open; i < body->close && local.declared > 0 && local.line == line; ++i) {
    const bool is_use = tokens.is(i, local.name) && tokens[i].line > local.declared && tokens[i].line < line;
    if (is_use) local.line = tokens[i].line;
  }
  return true;
}

const std::string* text_of(const std::string& file, const std::map<fs::path, std::string>& texts) {
  std::error_code error;
  const auto found = texts.find(fs::canonical(file, error));
  return error || found == texts.end() ? nullptr : &found->second;
}

}  // namespace

std::vector<UnsetLocal> find_unset_locals(const std::string& output, const std::map<fs::path, std::string>& texts) {
  static const std::regex used(R"(^(.*?):(\d+): warning: '(\w+)[^']*' (is|may be) used uninitialized.*$)");
  static const std::regex declared(R"(^.*?:(\d+): note: '(\w+)[^']*' (?:was )?declared here.*$)");
  std::vector<UnsetLocal> all;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, used)) {
      all.push_back({match.str(1), std::stoi(match.str(2)), 0, match.str(3), "", match.str(4) == "is"});
    } else if (!all.empty() && std::regex_match(line, match, declared) && match.str(2) == all.back().name) {
      all.back().declared = std::stoi(match.str(1));
    }
  }
  std::erase_if(all, [&](UnsetLocal& local) {
    const std::string* text = text_of(local.file, texts);
    return text == nullptr || !is_for_device(local, *text);
  });
  // A template's, once for each of its instances.
  const auto place = [](const UnsetLocal& local) {
    return std::tie(local.file, local.declared, local.name, local.line);
  };
  std::sort(all.begin(), all.end(), [&](const UnsetLocal& a, const UnsetLocal& b) { return place(a) < place(b); });
  all.erase(std::unique(all.begin(), all.end(),
                        [&](const UnsetLocal& a, const UnsetLocal& b) { return place(a) == place(b); }),
            all.end());
  return all;
}

std::string without_warnings(const std::string& output) {
  std::istringstream lines(output);
  std::string errors;
  bool in_warning = false;
  for (std::string line; std::getline(lines, line);) {
    const bool is_note = line.find(": note: ") != std::string::npos;
    if (!is_note) in_warning = line.find(": warning: ") != std::string::npos;
    if (!in_warning) errors += line + "\n";
  }
  return errors;
}

void keep_unset_locals(const fs::path& cache, const std::string& key, const std::vector<UnsetLocal>& locals) {
  const fs::path folder = cache / "unset";
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (!fs::exists(cache / entry.path().filename(), error)) fs::remove(entry.path(), error);
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

std::vector<UnsetLocal> kept_unset_locals(const fs::path& cache, const std::string& key) {
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
