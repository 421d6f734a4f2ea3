// What a long command writes it has to itself: a second one that would write there, too, is refused.
#pragma once

#include <filesystem>
#include <vector>

#include "base/file_lock.hpp"

namespace rafter::cli {

/// Locks of folders and files, until the end of its life. Throws Error (io) for what another process has.
class OutputLocks {
 public:
  void take_folder(const std::filesystem::path& folder);
  void take_file(const std::filesystem::path& file);

 private:
  void take(const std::filesystem::path& what, const std::filesystem::path& lock);

  std::vector<base::FileLock> held_;
};

}  // namespace rafter::cli
