// Other commands of this user that run on this machine at the same time. They slow each other down, which distorts
// measured times.
#pragma once

#include <set>
#include <string>

#include "base/file_lock.hpp"

namespace rafter::base {

class ConcurrentRuns {
 public:
  /// Announces this process to the others as `command`.
  explicit ConcurrentRuns(const std::string& command) : active_run_(command) {}

  /// Returns a message about the commands that started since the last call, or an empty string.
  std::string news();

  /// Prints the message to standard error.
  void report();

 private:
  ActiveRun active_run_;
  std::set<std::string> known_;
  bool was_asked_ = false;
};

}  // namespace rafter::base
