// A file written under a temporary name and renamed when it is complete. Header-only, because the library does not link
// base.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "rafter/error.hpp"

namespace rafter::base {

[[noreturn]] inline void fail_to_write(const std::filesystem::path& path, int error) {
  throw Error(ErrorCode::io, "cannot write '" + path.string() + "': " + std::strerror(error));
}

/// Returns the folder of a file: "." for a bare name, which has no parent path.
inline std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

/// Writes all parts to an open file; returns 0 or the error.
inline int write_all(int file, std::span<const std::string_view> parts) {
  for (std::string_view text : parts) {
    while (!text.empty()) {
      const ssize_t n = ::write(file, text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return errno;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  return 0;
}

/// Flushes a file to the disk; returns 0 or the error.
inline int sync(int file) { return fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP ? errno : 0; }

inline constexpr const char* partial_mark = ".partial-";  // followed by six characters

/// Locks an open file for the lifetime of its descriptor, which is how remove_partial_files() finds those in use.
/// Returns false if another process holds the lock. File systems without locks lock nothing.
enum class Lock { wait, at_once };
inline bool lock_descriptor(int file, Lock how) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  int status = 0;
  do {
    status = fcntl(file, how == Lock::wait ? F_OFD_SETLKW : F_OFD_SETLK, &whole);
  } while (status != 0 && errno == EINTR);
  return status == 0 || (errno != EAGAIN && errno != EACCES);
}

/// An empty temporary file in the folder of the file that it will become; missing folders are created. Removed unless
/// committed. All functions throw Error (io).
class NewFile {
 public:
  explicit NewFile(std::filesystem::path path) : path_(std::move(path)) {
    std::error_code error;
    std::filesystem::create_directories(folder_of(path_), error);
    if (error) fail_to_write(path_, error.value());
    do {
      if (file_ >= 0) close(file_);
      name_ = path_.string() + partial_mark + "XXXXXX";
      file_ = mkostemp(name_.data(), O_CLOEXEC);
      if (file_ < 0) fail_to_write(path_, errno);
    } while (!is_claimed());
    fchmod(file_, 0644);
  }
  ~NewFile() {
    if (file_ < 0) return;
    close(file_);
    unlink(name_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const std::string& name() const { return name_; }  ///< the temporary name

  void write(std::span<const std::string_view> parts) const {
    if (const int error = write_all(file_, parts); error != 0) fail_to_write(path_, error);
  }

  /// Reserves space for `n_bytes` on the disk, if the file system can, so that a full disk is found before the work.
  void reserve(std::int64_t n_bytes) const {
    if (n_bytes == 0 || fallocate(file_, FALLOC_FL_KEEP_SIZE, 0, n_bytes) == 0) return;
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) fail_to_write(path_, errno);
  }

  /// Gives up the lock, for `fill` of replace_file(): HDF5 locks files itself.
  void unlock() const {
    struct flock whole {};
    whole.l_type = F_UNLCK;
    fcntl(file_, F_OFD_SETLK, &whole);
  }

  /// Replaces the file. With `keep_as` the old file is kept under that name, if the file system has hard links. The
  /// file and its name then survive a power failure.
  void commit(const std::filesystem::path& keep_as = {}) {
    int error = finish();
    if (error == 0 && !keep_as.empty()) keep_old(keep_as);
    if (error == 0 && rename(name_.c_str(), path_.c_str()) != 0) error = errno;
    if (error != 0) {
      unlink(name_.c_str());
      fail_to_write(path_, error);
    }
    sync_folder();
  }

  /// Commits only if the name is free. If another process has created the file, removes this one and returns false: of
  /// several processes that want a name, one gets it. Without hard links the check and the rename are not atomic.
  bool commit_if_absent() {
    int error = finish();
    const bool has_links = error == 0 && link(name_.c_str(), path_.c_str()) == 0;
    if (error == 0 && !has_links) error = errno;
    if (error == EPERM || error == ENOTSUP || error == ENOSYS) {
      error = access(path_.c_str(), F_OK) == 0 ? EEXIST : 0;
      if (error == 0 && rename(name_.c_str(), path_.c_str()) != 0) error = errno;
    }
    unlink(name_.c_str());
    if (error == EEXIST) return false;
    if (error != 0) fail_to_write(path_, error);
    sync_folder();
    return true;
  }

 private:
  /// Locks the new file. Returns false if another process removed it between its creation and the lock.
  bool is_claimed() const {
    lock_descriptor(file_, Lock::wait);
    struct stat status {};
    return fstat(file_, &status) != 0 || status.st_nlink > 0;
  }

  /// Flushes and closes the file; returns 0 or the error.
  int finish() {
    const int error = sync(file_);
    return close(std::exchange(file_, -1)) != 0 && error == 0 ? errno : error;
  }

  void sync_folder() const {
    const int folder = open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY);
    if (folder < 0) return;
    fsync(folder);
    close(folder);
  }

  /// Keeps the old file by a hard link, so that both names are valid at every moment.
  void keep_old(const std::filesystem::path& keep_as) const {
    const std::string link_name = name_ + "-old";
    if (link(path_.c_str(), link_name.c_str()) != 0) return;
    rename(link_name.c_str(), keep_as.c_str());
    unlink(link_name.c_str());  // still exists if the rename failed or both were the same file
  }

  std::filesystem::path path_;
  std::string name_;
  int file_ = -1;
};

}  // namespace rafter::base
