#include "base/stop_signals.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace rafter::base {

namespace {

volatile std::sig_atomic_t stop_wanted = 0;
const char* volatile note_of_stop = nullptr;
OnStop how_to_stop = OnStop::polled;

void note_signal(int) {
  const int error = errno;
  stop_wanted = 1;
  const char* const text = note_of_stop;
  if (text != nullptr && write(STDERR_FILENO, text, std::strlen(text)) < 0) stop_wanted = 1;  // the note is lost
  errno = error;
}

}  // namespace

StopSignals::StopSignals(OnStop what, const char* words)
    : what_(what), what_before_(how_to_stop), note_before_(note_of_stop) {
  stop_wanted = 0;
  note_of_stop = words;
  how_to_stop = what;
  struct sigaction action {};
  action.sa_handler = note_signal;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], nullptr, &before_[i]);
    const bool is_pipe = signals[i] == SIGPIPE;
    if (is_pipe && what != OnStop::unwinds) continue;
    action.sa_flags = is_pipe ? 0 : static_cast<int>(SA_RESETHAND);  // each later write fails in the same way
    if (before_[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i] == SIGPIPE && (what_ != OnStop::unwinds || stop_wanted != 0)) continue;
    sigaction(signals[i], &before_[i], nullptr);
  }
  note_of_stop = note_before_;
  how_to_stop = what_before_;
}

bool StopSignals::arrived() { return stop_wanted != 0; }
bool StopSignals::unwinds() { return how_to_stop == OnStop::unwinds; }

void stop_if_asked() {
  if (StopSignals::unwinds() && StopSignals::arrived()) throw Stopped();
}

}  // namespace rafter::base
