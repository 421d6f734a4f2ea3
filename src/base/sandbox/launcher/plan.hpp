// What the launcher was asked to do. It is started by base/sandbox/sandbox.cpp with these words:
//   rafter-sandbox STATUS_FILE TASKS MEMORY DISK FILE_BYTES TIME_LIMIT_S USER (READABLE ...) -- WRITABLE FOLDER --
//   PROGRAM ...
// STATUS_FILE is a file descriptor, on which one line with the ending is written: "code N", "signal N", "time",
// "memory", "disk", "tasks", or "failed SENTENCE" if the sandbox could not be made and nothing was run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rafter::sandbox {

struct Plan {
  int status_file = -1;
  std::int64_t n_tasks = 0, memory_bytes = 0, disk_bytes = 0, file_bytes = 0;
  double time_limit_s = 0;
  std::vector<std::string> readable;
  std::string writable;
  std::string folder;         ///< the program's current folder; empty in the sandbox unless it is shown
  char** program = nullptr;   ///< ends with a null pointer
  unsigned user_of_root = 0;  ///< the user of the program if the caller is root
  /// The user of the program outside of the sandbox: the caller, or `user_of_root`.
  unsigned user = 0, group = 0;
  bool is_root = false;  ///< whether the caller is a root that can change users, mounts and namespaces
};

/// Reports that the sandbox cannot be made, and ends the process. `what` is an action, such as "mount /proc"; the text
/// of `error`, an errno, is added.
[[noreturn]] void fail(const Plan& plan, const std::string& what, int error);

/// Writes the line that reports the ending.
void report(const Plan& plan, const std::string& line);

}  // namespace rafter::sandbox
