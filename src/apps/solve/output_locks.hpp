// Exclusive access of a run to its outputs: a second run that would write them is refused.
#pragma once

#include <filesystem>
#include <vector>

#include "base/file_lock.hpp"

namespace rafter::solve {

/// Locks of folders and files for its lifetime. Throws Error (io) for one that another process holds.
class OutputLocks {
 public:
  void lock_folder(const std::filesystem::path& folder);
  void lock_file(const std::filesystem::path& file);

 private:
  void lock(const std::filesystem::path& what, const std::filesystem::path& lock_path);

  std::vector<base::FileLock> held_;
};

}  // namespace rafter::solve
