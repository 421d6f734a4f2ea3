#include "cli/tool.hpp"

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>

namespace rafter::cli {

namespace {

/// Never throws, also when there is no standard error.
void complain(const char* what) noexcept { std::fprintf(stderr, "rafter: %s\n", what); }

}  // namespace

int tool(int argc, char** argv, const Perform& perform) {
  try {
    const Command command = parse(argc, argv);
    const auto* finished = std::get_if<Finished>(&command);
    const int code = finished != nullptr ? finished->exit_code : perform(command);
    std::cout.flush();
    if (std::fflush(stdout) != 0 || !std::cout) throw Error(ErrorCode::io, "cannot write to the standard output");
    return code;
  } catch (const Error& error) {
    complain(error.what());
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& error) {
    complain((std::string("unexpected: ") + error.what()).c_str());
  }
  return exit_failed;
}

}  // namespace rafter::cli
