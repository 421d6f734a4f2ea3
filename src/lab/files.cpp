#include "lab/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "rafter/error.hpp"

namespace rafter::lab {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
  throw Error(ErrorCode::io, fmt::format("cannot write '{}': {}", path.string(), std::strerror(error)));
}

/// Writes everything and makes sure it reached the disk; 0 or the error.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(file, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP ? errno : 0;
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_special(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_regular_file(path, error);
}

/// /dev/stdout and its like lead to wherever the caller sent them, perhaps to a plain file that others write too.
bool is_device(const fs::path& path) {
  const std::string text = path.string();
  return text.starts_with("/dev/") || text.starts_with("/proc/");
}

/// What a link leads to, there or not yet: that is written, and the link stays.
fs::path target_of(fs::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && !is_device(path) && fs::is_symlink(path, error); ++links) {
    const fs::path next = fs::read_symlink(path, error);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

/// A new file of an unused name beside `path`.
struct Temporary {
  fs::path name;
  int file;
};
Temporary open_temporary(const fs::path& path) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) fail(path, error.value());
  std::string name = path.string() + ".XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0) fail(path, errno);
  fchmod(file, 0644);
  return {name, file};
}

fs::path home_folder(const char* variable, const char* fallback) {
  if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0')
    return fs::path(folder) / "rafter";
  const char* home = std::getenv("HOME");
  return (home != nullptr && *home != '\0' ? fs::path(home) / fallback : fs::path("/tmp")) / "rafter";
}

}  // namespace

bool is_replaceable(const fs::path& path) { return !is_special(path) && !is_device(path); }

void write_file(const fs::path& name, std::string_view text) {
  const fs::path path = target_of(name);
  if (is_folder(path)) fail(path, EISDIR);
  if (!is_replaceable(path)) {
    const int file = open(path.c_str(), O_WRONLY | O_APPEND);
    if (file < 0) fail(path, errno);
    const int error = write_all(file, text);
    close(file);
    if (error != 0) fail(path, error);
    return;
  }
  const Temporary temporary = open_temporary(path);
  int error = write_all(temporary.file, text);
  if (close(temporary.file) != 0 && error == 0) error = errno;
  if (error == 0 && rename(temporary.name.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(temporary.name.c_str());
    fail(path, error);
  }
}

void require_writable(const fs::path& name) {
  const fs::path path = target_of(name);
  if (is_folder(path)) fail(path, EISDIR);
  if (!is_replaceable(path)) {
    if (access(path.c_str(), W_OK) != 0) fail(path, errno);
    return;
  }
  std::vector<fs::path> missing;  // folders, the deepest first
  std::error_code error;
  for (fs::path folder = path.parent_path(); !folder.empty() && !fs::exists(folder, error);
       folder = folder.parent_path()) {
    missing.push_back(folder);
  }
  const Temporary temporary = open_temporary(path);
  close(temporary.file);
  unlink(temporary.name.c_str());
  for (const fs::path& folder : missing) fs::remove(folder, error);
}

std::optional<std::string> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

fs::path cache_folder() { return home_folder("XDG_CACHE_HOME", ".cache"); }
fs::path results_folder() { return home_folder("XDG_STATE_HOME", ".local/state"); }

}  // namespace rafter::lab
