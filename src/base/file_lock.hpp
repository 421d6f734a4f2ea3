// Locks between processes. The system lets go of them when a process ends, however it ends, so none is ever left over.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rafter::base {

/// Holds `path` against other processes as long as it lives; the file is there meanwhile, and says who has it. Where a
/// file system has no locks, or the file cannot be made, it holds nothing and is in nobody's way.
class FileLock {
 public:
  FileLock(std::filesystem::path path, const std::string& note);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;

  /// What another process noted that has it; nothing unless there is one.
  const std::optional<std::string>& holder() const { return holder_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int file_ = -1;
  std::optional<std::string> holder_;
};

/// Says to others of this user that this process works on this machine, and finds those who say so.
class AtWork {
 public:
  explicit AtWork(const std::string& what);

  /// What others do at this moment, with their process numbers: "run sum (process 4711)".
  std::vector<std::string> others() const;

 private:
  FileLock mine_;
};

}  // namespace rafter::base
