// A program that was started, from fork to its end.
#pragma once

#include <sys/types.h>

#include <chrono>

#include "base/process.hpp"

namespace rafter::base {

/// While it lives, the program does not outlive this process, not even when that is killed; in a session of its own
/// neither does what the program started, for which a *guard* waits: a second child that does nothing else.
class Child {
 public:
  /// `output`: a file that takes both streams, when they are captured. Throws Error (io) when it cannot be started.
  Child(const Process& process, int output);
  ~Child() { clear_away(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t id() const { return id_; }
  /// False when it is still there then, or a signal came.
  bool ends_before(std::chrono::steady_clock::time_point moment) const;
  /// To it, and in a session of its own to what it started.
  void send(int signal) const;
  /// Ends what is left of it; how it ended, as waitpid has it.
  int clear_away();

 private:
  void start_guard(pid_t parent);

  pid_t id_ = 0, guard_ = 0;
  int file_ = -1;  // that becomes readable when it has ended; older kernels have none
  bool is_own_session_;
  bool is_gone_ = false;
  int status_ = 0;
};

}  // namespace rafter::base
