// Finds host code in kernels: the host compiler accepts it, a GPU's compiler does not. Only certain cases are refused:
// names of the standard library that cannot be compiled for a GPU, and functions of the program that are neither
// __device__ nor constexpr.
#include <fmt/format.h>

#include <array>

#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

// After std::, or after `using namespace std`.
constexpr auto library_names = std::to_array<std::string_view>(
    {"vector",         "string",       "map",           "set",        "unordered_map", "unordered_set",
     "multimap",       "multiset",     "deque",         "list",       "forward_list",  "queue",
     "priority_queue", "stack",        "function",      "shared_ptr", "unique_ptr",    "make_shared",
     "make_unique",    "thread",       "mutex",         "lock_guard", "async",         "cout",
     "cerr",           "clog",         "cin",           "endl",       "ofstream",      "ifstream",
     "ostringstream",  "stringstream", "to_string",     "sort",       "stable_sort",   "rand",
     "srand",          "mt19937",      "random_device", "chrono",     "this_thread"});

// C library functions.
constexpr auto library_calls =
    std::to_array<std::string_view>({"rand", "srand", "exit", "fprintf", "puts", "putchar", "scanf", "fopen", "fclose",
                                     "fflush", "usleep", "sleep", "getenv", "gettimeofday", "qsort"});

bool uses_std(const Tokens& tokens) {
  for (int i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens.is(i, "using") && tokens.is(i + 1, "namespace") && tokens.is(i + 2, "std")) return true;
  }
  return false;
}

/// Whether the name is used as in namespace std: a template, a stream, a function.
bool is_used(const Tokens& tokens, int i) {
  return tokens.is(i + 1, "<") || tokens.is(i + 1, "<<") || tokens.is(i + 1, "(") || tokens.is_identifier(i + 1);
}

/// Whether `name(` at `i` is a call of a free function, not of a member or a local variable, and not a declaration.
bool is_plain_call(const Tokens& tokens, int i) {
  if (!tokens.is(i + 1, "(")) return false;
  constexpr auto before = std::to_array<std::string_view>({"return", "else", "do", "case"});
  const bool is_declared = (tokens.is_identifier(i - 1) && !is_among(before, tokens.text(i - 1))) ||
                           tokens.is(i - 1, ">") || tokens.is(i - 1, "~");
  return !is_declared && !tokens.is(i - 1, ".") && !tokens.is(i - 1, "->") && !tokens.is(i - 1, "::");
}

class HostCode {
 public:
  explicit HostCode(const Pass& pass) : pass_(pass), tokens_(pass.tokens), uses_std_(uses_std(pass.tokens)) {}

  void find() const {
    for (int i = 0; i < tokens_.size(); ++i) {
      const Scope& scope = pass_.scopes.of(i);
      if (!tokens_.is_identifier(i) || tokens_[i].directive != 0) continue;
      if (scope.kind != ScopeKind::function || !scope.device_only || pass_.macros.contains(tokens_.text(i))) continue;
      check(i);
    }
  }

 private:
  void check(int i) const {
    const std::string name(tokens_.text(i));
    const bool in_std = tokens_.is(i - 1, "::") && tokens_.is(i - 2, "std") && !tokens_.is(i - 3, "::");
    const bool is_free = !tokens_.is(i - 1, "::") && !tokens_.is(i - 1, ".") && !tokens_.is(i - 1, "->");
    const bool own = pass_.options.callees.has(name) || pass_.options.callees.has_type(name);
    if (is_among(library_names, name) &&
        (in_std || (uses_std_ && is_free && !own && is_used(tokens_, i) && !is_local(i))))
      return refuse(in_std ? i - 2 : i, "std::" + name, "it is host code, which a GPU cannot run");
    if (!is_plain_call(tokens_, i)) return;
    if (is_among(library_calls, name) && !own && !is_local(i))
      return refuse(i, name + "()", "it is host code, which a GPU cannot run");
    if (pass_.options.callees.is_for_host(name) && !is_local(i))
      refuse(i, name + "()", fmt::format("it is host code, which a GPU cannot run: declare {} __device__", name));
  }

  /// Whether the function around `i` declares the name itself: a parameter, a variable, a lambda.
  bool is_local(int i) const {
    int brace = i;
    while (brace > 0 && pass_.scopes.of(brace).kind == ScopeKind::function) --brace;
    for (int at = pass_.scopes.statement(brace); at < i; ++at) {
      if (tokens_.text(at) == tokens_.text(i) && !tokens_.is(at + 1, "(")) return true;
    }
    return false;
  }

  void refuse(int i, const std::string& what, const std::string& why) const {
    pass_.refuse(i, what + " in a kernel", why);
  }

  const Pass& pass_;
  const Tokens& tokens_;
  const bool uses_std_;
};

}  // namespace

void find_host_code(const Pass& pass) { HostCode(pass).find(); }

}  // namespace rafter::simt::build
