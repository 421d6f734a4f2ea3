#include "cli/tool.hpp"

#include <cstdio>
#include <exception>
#include <iostream>

#include "cli/complaint.hpp"

namespace rafter::cli {

namespace {

/// Never throws, also when there is no standard error, or no memory for a sentence.
void complain(const std::exception_ptr& thrown) noexcept {
  try {
    std::fprintf(stderr, "rafter: %s\n", complaint(thrown).c_str());
  } catch (...) {
    std::fputs("rafter: out of memory\n", stderr);
  }
}

}  // namespace

int tool(int argc, char** argv, const Perform& perform) {
  try {
    const Command command = parse(argc, argv);
    const auto* finished = std::get_if<Finished>(&command);
    const int code = finished != nullptr ? finished->exit_code : perform(command);
    std::cout.flush();
    if (std::fflush(stdout) != 0 || !std::cout) throw Error(ErrorCode::io, "cannot write to the standard output");
    return code;
  } catch (...) {
    complain(std::current_exception());
  }
  return exit_failed;
}

}  // namespace rafter::cli
