// Runs other programs: compilers, binutils, and user code that may crash, hang or print anything. While a Confinement
// exists (base/sandbox/sandbox.hpp), all of them run in its sandbox.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rafter::base {

/// A program and its arguments. A name without a slash is looked up on the PATH.
using Command = std::vector<std::string>;

enum class Streams {
  captured,          ///< reads nothing; both output streams are captured
  inherited,         ///< the caller's
  inherited_stderr,  ///< the caller's, with standard output redirected to standard error
};

/// The standard input, if streams are inherited.
enum class Input { inherited, none };

/// The session. In its own session the program has no terminal, and its descendants end with it.
enum class Session { own, inherited };

struct Process {
  Command command;
  std::vector<std::pair<std::string, std::string>> variables{};  ///< added to the environment
  Streams streams = Streams::captured;
  Input input = Input::inherited;
  Session session = Session::own;
  /// The time after which the program is ended; 0: never. Processor time counts while it can run, wall time while all
  /// of its threads sleep, so that a busy machine does not shorten the limit.
  double time_limit_s = 0;
  bool (*stop_wanted)() = nullptr;  ///< polled regularly and after signals; true ends the program
};

/// The outcome of a program: exit code, signal or time limit, and its captured output.
struct Outcome {
  int code = 0;
  int signal = 0;
  bool timed_out = false;
  std::string output{};
  /// The limit that ended a program in a sandbox: "memory", "disk" or "tasks"; empty: none.
  std::string exceeded{};

  bool succeeded() const { return code == 0 && signal == 0 && !timed_out; }
  /// The exit status of a shell: the code, 128 plus the signal, or 124 after a timeout.
  int status() const { return timed_out ? 124 : signal != 0 ? 128 + signal : code; }
};

/// Runs a program. Throws Error (io) when it cannot be started, and Stopped if a signal is to end the command
/// (base/stop_signals.hpp) and `stop_wanted` is not set. The program is ended by SIGTERM, and by SIGKILL if that
/// does not suffice. Neither the program nor, in its own session, its descendants outlive the call or this process,
/// however that ends.
Outcome run_process(const Process& process);

/// Runs a program whose output is parsed, such as a compiler, in the C locale and the caller's session.
Outcome run(const Command& command);

/// Runs all commands, as many concurrently as there are cores; outcomes are in the order of the commands.
std::vector<Outcome> run_all(std::span<const Command> commands);

/// Returns the command-line arguments of this process, without its name.
Command own_arguments();

/// Returns the command quoted for a shell.
std::string shell_quoted(const Command& command);

}  // namespace rafter::base
