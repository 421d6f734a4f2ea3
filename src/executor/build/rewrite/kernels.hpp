// The kernels a source declares, with the names of their parameters.
#pragma once

#include <string>
#include <vector>

namespace rafter::simt::build {

struct Kernel {
  std::string name;  // with its namespaces
  bool is_template;
  int line;
  std::vector<std::string> types;       // of its parameters, as written
  std::vector<std::string> parameters;  // their names; empty where a declaration has none
  std::string returns{};                // a number's type in place of void; empty as a rule
};

/// In the order of the text; a kernel that is declared and defined comes once.
std::vector<Kernel> find_kernels(const std::string& text);

/// Functions of that name that are defined in the text and are no kernels; `is_template` tells nothing of them.
std::vector<Kernel> find_host_functions(const std::string& text, const std::string& name);

}  // namespace rafter::simt::build
