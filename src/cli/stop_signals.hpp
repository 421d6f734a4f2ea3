// Signals that end a long command in good order.
#pragma once

#include <array>
#include <csignal>

namespace rafter::cli {

/// While it lives, the first of SIGINT, SIGTERM and SIGHUP is remembered; the second one ends the process at once. What
/// is ignored (nohup) stays so.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  static bool arrived();

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> before_{};
};

}  // namespace rafter::cli
