// Runs other programs and keeps what they say.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace rafter::base {

using Command = std::vector<std::string>;

struct Outcome {
  int status;          // its exit code; 128 and the signal's number when one ended it
  std::string output;  // what it wrote to both of its streams
};

/// Runs a program found on the PATH, in the C locale; throws Error (io) when it cannot be started.
Outcome run(const Command& command);

/// Runs them all, as many at once as there are cores; outcomes in the order of the commands.
std::vector<Outcome> run_all(std::span<const Command> commands);

/// The command as one could type it.
std::string spelled(const Command& command);

}  // namespace rafter::base
