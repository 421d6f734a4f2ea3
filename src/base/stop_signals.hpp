// Signals that end a long command cleanly.
#pragma once

#include <array>
#include <csignal>

namespace rafter::base {

/// Records the first SIGINT, SIGTERM or SIGHUP during its lifetime instead of ending the process. A second signal ends
/// the process at once. Signals that are ignored (nohup) stay ignored.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Whether a signal arrived.
  static bool arrived();

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> before_{};
};

}  // namespace rafter::base
