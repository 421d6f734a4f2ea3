#include "base/stop_signals.hpp"

namespace rafter::base {

namespace {

volatile std::sig_atomic_t stop_wanted = 0;

}  // namespace

StopSignals::StopSignals() {
  stop_wanted = 0;
  struct sigaction action {};
  action.sa_handler = [](int) { stop_wanted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
}

bool StopSignals::arrived() { return stop_wanted != 0; }

}  // namespace rafter::base
