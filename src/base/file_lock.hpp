// Locks between processes. The operating system releases them when a process ends, however it ends, so no stale lock
// remains.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rafter::base {

/// Locks `path` against other processes for its lifetime. The file exists meanwhile and names its holder. If the file
/// system has no locks, or the file cannot be created, it locks nothing and reports no holder.
class FileLock {
 public:
  FileLock(std::filesystem::path path, const std::string& note);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;

  /// The note of the process that holds the lock; nullopt if no other process does.
  const std::optional<std::string>& holder() const { return holder_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int file_ = -1;
  std::optional<std::string> holder_;
};

/// Announces that this process runs on this machine, and finds other processes of the user that do.
class ActiveRun {
 public:
  explicit ActiveRun(const std::string& what);

  /// Returns what the other processes are doing, with their process ids: "run sum (process 4711)".
  std::vector<std::string> others() const;

 private:
  FileLock mine_;
};

}  // namespace rafter::base
