// Other commands of this user that work on this machine at the same time: all of them take longer, and times that were
// measured meanwhile are not what they seem.
#pragma once

#include <set>
#include <string>

#include "base/file_lock.hpp"

namespace rafter::cli {

class Neighbours {
 public:
  /// `what`: this command, for the others.
  explicit Neighbours(const std::string& what) : at_work_(what) {}

  /// A message about those that were not there when it was asked before; empty when there are none.
  std::string news();

  /// Says it, on the standard error.
  void mention();

 private:
  base::ActiveRun at_work_;
  std::set<std::string> known_;
  bool asked_ = false;
};

}  // namespace rafter::cli
