// Signals that end a long command cleanly.
#pragma once

#include <array>
#include <csignal>
#include <exception>

namespace rafter::base {

/// Ends a command after a signal: what it has made is removed on the way to cli::guarded(), which returns exit_stopped.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped by a signal"; }
};

enum class OnStop {
  polled,   ///< the command looks at arrived()
  unwinds,  ///< also: the programs that it runs are ended with their descendants, and run_process() throws Stopped
};

/// Records the first SIGINT, SIGTERM or SIGHUP during its lifetime instead of ending the process. A second signal ends
/// the process at once. Signals that are ignored (nohup) stay ignored. A command that unwinds is also stopped by a
/// closed pipe.
class StopSignals {
 public:
  /// `note`, if it is not null, is written to the standard error as soon as a signal arrives.
  explicit StopSignals(OnStop what = OnStop::polled, const char* note = nullptr);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Whether a signal arrived.
  static bool arrived();
  /// Whether a signal is to end the command by an exception.
  static bool unwinds();

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  std::array<struct sigaction, signals.size()> before_{};
  OnStop what_, what_before_;
  const char* note_before_;
};

/// Throws Stopped if a signal is to end the command.
void stop_if_asked();

}  // namespace rafter::base
