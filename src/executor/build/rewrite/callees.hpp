// The functions of a project, and which of them a loop over threads may call: functions that neither wait for other
// threads nor depend on which thread runs, and that call only such functions. Functions are identified by name alone,
// whatever their arguments. An unknown function may do anything.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "executor/build/rewrite/lexer.hpp"
#include "executor/build/rewrite/macros.hpp"
#include "executor/build/rewrite/scopes.hpp"

namespace rafter::simt::build {

/// The identifiers in a range of code.
struct Names {
  std::set<std::string, std::less<>> words;  // all of its identifiers
  std::set<std::string, std::less<>> calls;  // those that are called: followed by something in parentheses
  bool is_opaque = false;                    // calls through pointers, variables that outlive the call, ...
};

/// Reads the names in the tokens [first, last].
Names read_names(const Tokens& tokens, int first, int last);

class Callees {
 public:
  /// Records the functions of one file.
  void add(const Tokens& tokens, const Scopes& scopes);
  /// Finds the functions that wait, directly or through a callee. Call it once, when all files are added.
  void propagate(const Macros& macros);

  /// Whether the project has a function with this name.
  bool has(std::string_view name) const { return by_name_.contains(name); }
  /// Whether the functions with this name are several, or a template, so that the arguments' types select one.
  bool is_overloaded(std::string_view name) const;
  /// Whether a function with this name may modify its arguments.
  bool takes_references(std::string_view name) const;
  bool has_type(std::string_view name) const { return types_.contains(name); }
  /// Whether the type may be arithmetic: a template parameter, or an alias of an arithmetic type.
  bool has_number_type(std::string_view name) const { return number_types_.contains(name); }
  /// Whether every function with this name is host-only, as far as its text shows, and CUDA has none with this name.
  bool is_for_host(const std::string& name) const;

  /// Whether a kernel with this body and the parameter list that opens at `parameters` may run as a loop over its
  /// threads.
  bool may_loop(const Tokens& tokens, const Names& body, int parameters) const;

 private:
  struct Function {
    std::string name;
    Names uses, parameters;
    std::set<std::string, std::less<>> head;  // words before its name
    bool is_device = false, is_kernel = false, is_member = false;
    bool is_harmless = true;
    bool takes_references = false;  // that are not const
  };
  void note_type(const Tokens& tokens, int i);
  void add_function(const Tokens& tokens, const Scopes& scopes, int brace);
  void mark_harmful();
  /// Whether the function is called without being named: an operator, a constructor, a lambda.
  bool is_implicit(const Function& function) const;
  /// The function whose code is examined.
  struct Owner {
    const Names& parameters;
    bool is_kernel;
    int macros_deep = 0;
  };
  bool is_harmless(const Names& uses, const Owner& owner) const;
  bool is_harmless_call(const std::string& name, const Owner& owner) const;
  bool is_harmless_macro(const std::string& name, const Owner& owner) const;
  bool may_be_managed(const Tokens& tokens, int parameters) const;

  std::vector<Function> functions_;
  std::multimap<std::string, std::size_t, std::less<>> by_name_;
  std::set<std::string, std::less<>> types_;         // classes, aliases, template parameters
  std::set<std::string, std::less<>> number_types_;  // those among them that may be numbers
  Macros macros_;
  bool all_harmless_ = true;        // of every device function; then so is whatever a parameter or an object may call
  bool has_volatile_type_ = false;  // of an alias or a member: code that polls it does not name it
  bool has_destructors_ = false;
};

}  // namespace rafter::simt::build
