// Runs other programs: compilers and binutils, and strangers' code that may crash, hang or print anything.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rafter::base {

/// A program and its arguments; without a slash in its name it is found on the PATH.
using Command = std::vector<std::string>;

enum class Streams {
  captured,          ///< it reads nothing, and what it writes to either stream is kept
  inherited,         ///< ours
  inherited_stderr,  ///< ours, but its output goes to the standard error
};

/// What it reads, where its streams are inherited.
enum class Input { ours, none };

/// In a session of its own it has no terminal, and what it started ends with it.
enum class Session { own, ours };

struct Process {
  Command command;
  std::vector<std::pair<std::string, std::string>> variables{};  ///< set for it, beside ours
  Streams streams = Streams::captured;
  Input input = Input::ours;
  Session session = Session::own;
  /// Ends the program after so much time; 0: never. Processor time counts while it can run, wall time while all of its
  /// threads sleep, so that a busy machine does not shorten it.
  double time_limit_s = 0;
  bool (*stop_wanted)() = nullptr;  ///< asked now and then, and when a signal comes: whether it shall end
};

/// How a program ended (with a code, by a signal, or because its time was up), and what it wrote if that was captured.
struct Outcome {
  int code = 0;
  int signal = 0;
  bool timed_out = false;
  std::string output{};

  bool well() const { return code == 0 && signal == 0 && !timed_out; }
  /// As a shell has it: the code, or 128 and the signal's number; 124 when its time was up.
  int status() const { return timed_out ? 124 : signal != 0 ? 128 + signal : code; }
};

/// Throws Error (io) when it cannot be started. To end it, it is sent SIGTERM, and SIGKILL when that does not help.
/// Neither it nor, in a session of its own, what it started outlives the call or this process, however that ends.
Outcome run_process(const Process& process);

/// Runs a program whose words are read by us, a compiler or the like: in the C locale and our session.
Outcome run(const Command& command);

/// Runs them all, as many at once as there are cores; outcomes in the order of the commands.
std::vector<Outcome> run_all(std::span<const Command> commands);

/// The words that this process was started with, without its name.
Command own_words();

/// The command as one could type it.
std::string spelled(const Command& command);

}  // namespace rafter::base
