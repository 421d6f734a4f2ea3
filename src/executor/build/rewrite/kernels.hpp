// Finds the kernels that a source declares, with the names of their parameters.
#pragma once

#include <string>
#include <vector>

#include "executor/build/rewrite/lexer.hpp"

namespace rafter::simt::build {

struct Kernel {
  std::string name;  // with its namespaces
  bool is_template;
  int line;
  std::vector<std::string> types;       // of its parameters, as written
  std::vector<std::string> parameters;  // their names; empty where a declaration has none
  std::vector<bool> read_only{};        // whether it is `const T* __restrict__`
  std::string returns{};                // an arithmetic type written in place of void; usually empty
};

/// Returns the kernels in the order of the text. A kernel that is declared and defined appears once.
std::vector<Kernel> find_kernels(const std::string& text);

/// The braces of a kernel's body.
struct KernelBody {
  int open, close;
};

/// Returns the bodies of all kernels, in the order of the text.
std::vector<KernelBody> kernel_bodies(const Tokens& tokens);

/// Returns `a::b::` for a token inside `namespace a { namespace b {`.
std::string enclosing_namespaces(const Tokens& tokens, int i);

/// Returns the functions with this name that are defined in the text and are not kernels; `is_template` is not set.
std::vector<Kernel> find_host_functions(const std::string& text, const std::string& name);

}  // namespace rafter::simt::build
