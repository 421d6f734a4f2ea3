// The tool is several programs with one command line, so that a command builds only what it uses: `rafter` parses the
// command line and starts the program that performs it (main.cpp), which parses it again.
#pragma once

#include <exception>
#include <functional>
#include <string>

#include "base/exit_code.hpp"
#include "cli/options.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {

using base::exit_failed;
using base::exit_good;
using base::exit_no;
using base::exit_stopped;

/// Performs a command and returns the exit code; throws Error for bad input.
using Perform = std::function<int(const Command&)>;

/// A Perform made of one function per command. Throws Error for the commands of other programs.
template <class... Functions>
struct Performer : Functions... {
  using Functions::operator()...;
  int operator()(const auto&) const { throw Error(ErrorCode::unsupported, "this program has no such subcommand"); }
  int operator()(const Command& command) const { return std::visit(*this, command); }
};
template <class... Functions>
Performer(Functions...) -> Performer<Functions...>;

/// Parses the command line and performs it. Exceptions become a message and exit_failed.
int tool(int argc, char** argv, const Perform& perform);

/// Calls `work`, which returns the exit code. Exceptions become a message and exit_failed.
int guarded(const std::function<int()>& work);

/// Returns the message for an exception that reached main(): that of an Error, or a sentence about files, memory or
/// threads for the exceptions of the standard library. All others are bugs of the tool.
std::string error_message(const std::exception_ptr& thrown);

}  // namespace rafter::cli
