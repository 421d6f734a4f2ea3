// The command line of a kernel without a program around it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "executor/runtime/bare/arguments.hpp"

namespace rafter::simt {

struct BareRequest {
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::size_t shared_bytes = 0;
  std::map<std::string, std::string> arguments, saves;  // by parameter
  bool shows_arrays = false;                            // whether to print the arrays that the kernel may write
};

BareRequest parse_request(int argc, char** argv);

/// Throws BareError for names the kernel does not have, and for parameters without an argument.
void check_names(const char* kernel, const BareRequest& request, const std::vector<Parameter>& parameters);

}  // namespace rafter::simt
