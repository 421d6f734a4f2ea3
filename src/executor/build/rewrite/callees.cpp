#include "executor/build/rewrite/callees.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "executor/build/rewrite/known_names.hpp"
#include "executor/build/rewrite/spins.hpp"

namespace rafter::simt::build {

namespace {

/// Whether the name before a `(` is called, as opposed to declared or a statement's keyword.
bool is_called(const Tokens& tokens, int i) {
  int next = i + 1;
  if (tokens.is(next, "<") && tokens.close_angle(next) > 0) next = tokens.close_angle(next) + 1;
  if (!tokens.is(next, "(")) return false;
  const bool is_declared = tokens.is_identifier(i - 1) && !is_among(before_call, tokens.text(i - 1)) &&
                           tokens.text(i - 1).find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string_view::npos;
  return !is_declared;
}

/// The name and the `(` of the parameters of the function whose `{` is at `brace`; -1 if there is none.
struct FunctionHead {
  int name = -1, open = -1;
};
FunctionHead read_function_head(const Tokens& tokens, int begin, int brace) {
  for (int i = begin; i < brace; ++i) {
    if (const int after = skip_attribute(tokens, i); after > i) {
      i = after - 1;
    } else if (tokens.is(i, "template") && tokens.is(i + 1, "<")) {
      i = std::max(i, tokens.close_angle(i + 1));
    } else if (tokens.is(i, "operator")) {
      int open = i + 1;
      while (open < brace && (!tokens.is(open, "(") || tokens.is(open + 1, ")"))) ++open;
      return {i, open < brace ? open : -1};
    } else if (tokens.is(i, "(")) {
      const int name = tokens.is(i - 1, ">") ? tokens.open_angle(i - 1) - 1 : i - 1;
      return tokens.is_identifier(name) ? FunctionHead{name, i} : FunctionHead{};
    }
  }
  return {};
}

/// Whether parameters are non-const references, as far as their text shows.
bool has_references(const Tokens& tokens, int open) {
  bool is_const = false;
  for (int i = open + 1; i < tokens.partner(open); ++i) {
    if (tokens.is(i, ",")) is_const = false;
    is_const = is_const || tokens.is(i, "const");
    if (tokens.is(i, "&&") || (tokens.is(i, "&") && !is_const)) return true;
  }
  return false;
}

Names read_names(const std::vector<std::string>& body) {
  Names uses;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] == "##") uses.is_opaque = true;
    if (body[i].empty() || (std::isalpha(static_cast<unsigned char>(body[i][0])) == 0 && body[i][0] != '_')) continue;
    uses.words.insert(body[i]);
    if (i + 1 < body.size() && (body[i + 1] == "(" || body[i + 1] == "<")) uses.calls.insert(body[i]);
  }
  return uses;
}

}  // namespace

Names read_names(const Tokens& tokens, int first, int last) {
  Names uses;
  for (int i = first; i <= last; ++i) {
    const std::string_view text = tokens.text(i);
    uses.is_opaque = uses.is_opaque || waiting_body(tokens, i) > 0;
    if (tokens[i].directive != 0) {
      const bool is_statement =
          tokens.is(i, "#") && (tokens.is(i + 1, "define") || tokens.is(i + 1, "include") || tokens.is(i + 1, "undef"));
      uses.is_opaque = uses.is_opaque || is_statement;
    } else if (tokens.is_identifier(i)) {
      uses.words.emplace(text);
      if (is_called(tokens, i)) uses.calls.emplace(text);
      if (text == "static" && !tokens.is(i + 1, "const") && !tokens.is(i + 1, "constexpr")) uses.is_opaque = true;
    } else if (text == "(") {
      const bool through_pointer =
          tokens.is(i - 1, "]") || (tokens.is(i + 1, "*") && tokens.is(tokens.partner(i) + 1, "("));
      uses.is_opaque = uses.is_opaque || through_pointer;
    } else if (text == "->*" || text == ".*" || text.starts_with("<<<")) {  // a launch is made by one thread
      uses.is_opaque = true;
    }
  }
  return uses;
}

void Callees::add(const Tokens& tokens, const Scopes& scopes) {
  for (int i = 0; i < tokens.size(); ++i) {
    const bool outside = scopes.of(i).kind != ScopeKind::function;
    note_type(tokens, i);
    if (tokens.is(i, "volatile") && outside && tokens[i].directive == 0) {
      int end = i;  // end of the declaration; a volatile parameter concerns its own function only
      while (end < tokens.size() && !tokens.is(end, ";") && !tokens.is(end, "{") && !tokens.is(end, ")")) ++end;
      has_volatile_type_ = has_volatile_type_ || !tokens.is(end, ")");
    }
    has_destructors_ = has_destructors_ || (tokens.is(i, "~") && outside && tokens.is(i + 2, "("));
    if (tokens.is(i, "{") && tokens.partner(i) > i) add_function(tokens, scopes, i);
  }
}

void Callees::note_type(const Tokens& tokens, int i) {
  constexpr auto heads = std::to_array<std::string_view>({"struct", "class", "union", "enum", "using", "typename"});
  int name = i + 1;
  if (tokens.is(i, "typedef")) {
    for (; name < tokens.size() && !tokens.is(name, ";"); ++name) name = std::max(name, tokens.partner(name));
    --name;
  } else if (!is_among(heads, tokens.text(i))) {
    return;
  }
  while (skip_attribute(tokens, name) > name) name = skip_attribute(tokens, name);
  if (tokens.is(name, "...")) ++name;
  if (!tokens.is_identifier(name)) return;
  types_.emplace(tokens.text(name));
  const bool ends = tokens.is(name + 1, ",") || tokens.is(name + 1, ">") || tokens.is(name + 1, "=");
  const bool is_parameter = (tokens.is(i, "typename") || tokens.is(i, "class")) && ends;
  const int named = tokens.is(i, "typedef") ? i + 1 : tokens.is(i, "using") && tokens.is(name + 1, "=") ? name + 2 : -1;
  const bool is_number = named > 0 && (is_among(numbers, tokens.text(named)) || has_number_type(tokens.text(named)));
  if (is_parameter || is_number) number_types_.emplace(tokens.text(name));
}

void Callees::add_function(const Tokens& tokens, const Scopes& scopes, int brace) {
  const Scope &before = scopes.of(brace), &inside = scopes.of(brace + 1);
  if (inside.kind != ScopeKind::function) return;
  const bool is_lambda = before.kind == ScopeKind::function;
  if (is_lambda && (before.device || !inside.device)) return;  // a block, or a host lambda
  Function function;
  function.is_device = inside.device;
  function.uses = read_names(tokens, brace + 1, tokens.partner(brace) - 1);
  const int begin = scopes.statement(brace);
  const FunctionHead head = is_lambda ? FunctionHead{} : read_function_head(tokens, begin, brace);
  if (head.open > 0) {
    function.parameters = read_names(tokens, head.open + 1, tokens.partner(head.open) - 1);
    function.takes_references = has_references(tokens, head.open);
  }
  if (head.name > 0) function.name = tokens.text(head.name);
  for (int i = begin; i < head.name; ++i) {
    function.is_kernel = function.is_kernel || tokens.is(i, "__global__");
    if (tokens.is_identifier(i)) function.head.emplace(tokens.text(i));
  }
  function.is_member = before.kind == ScopeKind::record || tokens.is(head.name - 1, "::");
  by_name_.emplace(function.name, functions_.size());
  functions_.push_back(std::move(function));
}

bool Callees::is_overloaded(std::string_view name) const {
  const auto [first, last] = by_name_.equal_range(name);
  return std::distance(first, last) > 1 ||
         std::any_of(first, last, [&](const auto& at) { return functions_[at.second].head.contains("template"); });
}

bool Callees::takes_references(std::string_view name) const {
  const auto [first, last] = by_name_.equal_range(name);
  return std::any_of(first, last, [&](const auto& at) { return functions_[at.second].takes_references; });
}

bool Callees::is_for_host(const std::string& name) const {
  const auto [first, last] = by_name_.equal_range(name);
  const bool is_not_function = is_known(name) || is_among(not_functions, name) || types_.contains(name);
  if (first == last || is_not_function || macros_.contains(name)) return false;
  return std::all_of(first, last, [&](const auto& at) {
    const Function& function = functions_[at.second];
    const auto tells_nothing = [&](const std::string& word) {  // may expand to __device__ in a header that was not read
      const bool is_capital = word.size() > 2 && word.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
      return is_capital || macros_.contains(word) || word == "constexpr" || word == "consteval" || word == "friend";
    };
    return !function.is_device && !function.is_kernel && !function.is_member &&
           std::none_of(function.head.begin(), function.head.end(), tells_nothing);
  });
}

void Callees::propagate(const Macros& macros) {
  macros_ = macros;
  mark_harmful();
  all_harmless_ = std::all_of(functions_.begin(), functions_.end(),
                              [](const Function& f) { return f.is_harmless || !f.is_device || f.is_kernel; });
  if (!all_harmless_) mark_harmful();  // also excludes functions that call one of their arguments
}

void Callees::mark_harmful() {
  for (bool again = true; again;) {
    again = false;
    for (Function& function : functions_) {
      if (!function.is_harmless || is_harmless(function.uses, {function.parameters, function.is_kernel})) continue;
      function.is_harmless = false;
      again = true;
    }
  }
}

bool Callees::is_implicit(const Function& function) const {
  return function.name.empty() || function.name == "operator" || types_.contains(function.name);
}

bool Callees::is_harmless(const Names& uses, const Owner& owner) const {
  if (uses.is_opaque) return false;
  for (const std::string& word : uses.words) {
    if (is_among(forbidden, word) || word.starts_with("cuda") || word == "cg") return false;
    if (!owner.is_kernel && is_among(built_ins, word)) return false;
    if (macros_.contains(word) && !is_harmless_macro(word, owner)) return false;
    const auto [first, last] = by_name_.equal_range(word);  // its address may be taken
    for (auto at = first; at != last; ++at) {
      const Function& function = functions_[at->second];
      if (function.is_device && !function.is_kernel && !function.is_harmless) return false;
    }
  }
  return std::all_of(uses.calls.begin(), uses.calls.end(),
                     [&](const std::string& name) { return is_harmless_call(name, owner); });
}

bool Callees::is_harmless_macro(const std::string& name, const Owner& owner) const {
  const Macro& macro = macros_.find(name)->second;
  Names uses = read_names(macro.body);
  for (const std::string& parameter : macro.parameters) {
    if (uses.calls.contains(parameter)) return false;
    uses.words.erase(parameter);
  }
  uses.words.erase(name);
  if (uses.words.contains("return") || owner.macros_deep > 20) return false;
  return is_harmless(uses, {owner.parameters, owner.is_kernel, owner.macros_deep + 1});
}

bool Callees::is_harmless_call(const std::string& name, const Owner& owner) const {
  if (is_among(not_functions, name) || macros_.contains(name)) return true;  // macros are checked as words
  const auto [first, last] = by_name_.equal_range(name);
  if (first != last) {
    return std::all_of(first, last, [&](const auto& at) {
      const Function& function = functions_[at.second];
      return function.is_harmless && !function.is_kernel;
    });
  }
  // A function object, a pointer to a function, a constructor or a cast.
  if (owner.parameters.words.contains(name) || types_.contains(name)) return all_harmless_;
  return is_known(name);
}

bool Callees::may_loop(const Tokens& tokens, const Names& body, int parameters) const {
  const Names given = read_names(tokens, parameters + 1, tokens.partner(parameters) - 1);
  const bool implicit_harmless = std::all_of(functions_.begin(), functions_.end(), [&](const Function& f) {
    return f.is_harmless || !f.is_device || f.is_kernel || !is_implicit(f);
  });
  const bool shadows = std::any_of(built_ins.begin(), built_ins.end(),
                                   [&](std::string_view name) { return given.words.contains(name); });
  return !has_volatile_type_ && implicit_harmless && !shadows && !may_be_managed(tokens, parameters) &&
         is_harmless(given, {given, true}) && is_harmless(body, {given, true});
}

/// Whether copying and destroying a parameter may do more than copy its bytes.
bool Callees::may_be_managed(const Tokens& tokens, int parameters) const {
  if (!has_destructors_) return false;
  for (int i = parameters + 1; i < tokens.partner(parameters); ++i) {
    int next = i + 1;
    if (tokens.is(next, "<")) next = std::max(next, tokens.close_angle(next) + 1);
    while (tokens.is(next, "const")) ++next;
    if (types_.contains(tokens.text(i)) && !tokens.is(next, "*")) return true;
  }
  return false;
}

}  // namespace rafter::simt::build
