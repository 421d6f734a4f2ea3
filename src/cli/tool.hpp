// The tool is several programs with one command line, so that a command builds what it uses: `rafter` reads the words
// and starts the program that performs them (programs.hpp), which reads them again.
#pragma once

#include <functional>

#include "cli/options.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {

inline constexpr int exit_good = 0;
inline constexpr int exit_no = 1;         ///< the answer is no: a wrong result, something slower
inline constexpr int exit_failed = 2;     ///< it could not run: bad input, a missing device
inline constexpr int exit_stopped = 130;  ///< a signal ended it, and it can go on where it was

/// Performs a command and returns the exit code; throws Error for bad input.
using Perform = std::function<int(const Command&)>;

/// Perform made of one function per command; commands that none of them takes are another program's.
template <class... Functions>
struct Performer : Functions... {
  using Functions::operator()...;
  int operator()(const auto&) const { throw Error(ErrorCode::unsupported, "this program has no such subcommand"); }
  int operator()(const Command& command) const { return std::visit(*this, command); }
};
template <class... Functions>
Performer(Functions...) -> Performer<Functions...>;

/// Reads the command line and performs it; what is thrown becomes a message and exit_failed.
int tool(int argc, char** argv, const Perform& perform);

}  // namespace rafter::cli
