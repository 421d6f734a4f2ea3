#include "base/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

#include "base/files.hpp"
#include "base/new_file.hpp"

namespace rafter::base {

namespace {

namespace fs = std::filesystem;

/// Returns whether `path` still refers to the open file: the previous holder may have removed it before this process
/// got the lock.
bool is_at(int file, const fs::path& path) {
  struct stat opened {
  }, named{};
  return fstat(file, &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

bool is_locked_by_another(int file) { return flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

std::string note_in(int file) {
  std::array<char, 512> text{};
  const ssize_t n = pread(file, text.data(), text.size(), 0);
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0))};
}

fs::path at_work_folder() { return runtime_folder() / "at-work"; }

}  // namespace

FileLock::FileLock(fs::path path, const std::string& note) : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(folder_of(path_), error);
  for (int attempt = 0; attempt < 100 && file_ < 0; ++attempt) {
    const int file = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return;
    if (is_locked_by_another(file)) {
      holder_ = note_in(file);
    } else if (is_at(file, path_)) {
      file_ = file;
      const std::string_view text = note;
      if (ftruncate(file, 0) != 0 || write_all(file, {&text, 1}) != 0) return;  // the note is optional
      return;
    }
    close(file);
    if (holder_) return;
  }
}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), holder_(std::move(other.holder_)) {}

FileLock::~FileLock() {
  if (file_ < 0) return;
  unlink(path_.c_str());  // before others can lock it
  close(file_);
}

ActiveRun::ActiveRun(const std::string& what)
    : mine_(at_work_folder() /
                fmt::format("{}-{}", getpid(), std::chrono::steady_clock::now().time_since_epoch().count()),
            fmt::format("{} (process {})", what, getpid())) {}

std::vector<std::string> ActiveRun::others() const {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(at_work_folder(), error)) {
    const std::string name = entry.path().filename().string();
    const bool is_ours = name.find_first_not_of("0123456789-") == std::string::npos;
    if (!is_ours || name == mine_.path().filename()) continue;
    const int file = open(entry.path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) continue;
    if (is_locked_by_another(file)) {
      found.push_back(note_in(file));
    } else if (is_at(file, entry.path())) {
      unlink(entry.path().c_str());  // left by a killed process
    }
    close(file);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace rafter::base
