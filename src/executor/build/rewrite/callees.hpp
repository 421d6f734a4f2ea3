// The functions of a project, and which of them a loop over threads may call: those that wait for nobody, ask nobody
// which thread runs, and call only such. Names stand for functions, whatever their arguments; what is not known here
// may do anything.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "executor/build/rewrite/lexer.hpp"
#include "executor/build/rewrite/macros.hpp"
#include "executor/build/rewrite/scopes.hpp"

namespace rafter::simt::build {

/// What a stretch of code names.
struct Names {
  std::set<std::string, std::less<>> words;  // all of its identifiers
  std::set<std::string, std::less<>> calls;  // those that something in parentheses follows
  bool is_odd = false;                       // calls through pointers, variables that outlive the call, ...
};

/// Of the tokens from `first` to `last`.
Names read_names(const Tokens& tokens, int first, int last);

class Callees {
 public:
  /// Notes the functions of one file.
  void add(const Tokens& tokens, const Scopes& scopes);
  /// After the last file: finds out who waits, directly or by what it calls.
  void settle(const Macros& macros);

  /// Whether the project has a function of that name.
  bool has(std::string_view name) const { return by_name_.contains(name); }
  /// Whether one of that name may change what it is given.
  bool takes_references(std::string_view name) const;
  bool has_type(std::string_view name) const { return types_.contains(name); }
  /// Whether it may be a number's: a template's parameter, or another name of a number's type.
  bool has_number_type(std::string_view name) const { return number_types_.contains(name); }
  /// Whether every function of that name is for the host alone, as far as its text tells, and CUDA has none.
  bool is_for_host(const std::string& name) const;

  /// Whether the kernel with that body, and parameters between those parentheses, may run as a loop over its threads.
  bool may_loop(const Tokens& tokens, const Names& body, int parameters) const;

 private:
  struct Function {
    std::string name;
    Names uses, parameters;
    std::set<std::string, std::less<>> head;  // words before its name
    bool is_device = false, is_kernel = false, is_member = false;
    bool is_harmless = true;
    bool takes_references = false;  // that are not to constants
  };
  void note_type(const Tokens& tokens, int i);
  void add_function(const Tokens& tokens, const Scopes& scopes, int brace);
  void mark_harmful();
  /// Called without being named: an operator, a constructor, a lambda.
  bool is_implicit(const Function& function) const;
  /// Whose code is judged.
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
  bool all_harmless_ = true;        // every device function: so is what a parameter or an object may call
  bool has_volatile_type_ = false;  // an alias or a member: who waits for it does not say so
  bool has_destructors_ = false;
};

}  // namespace rafter::simt::build
