#include "base/files.hpp"

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

namespace rafter::base {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
  throw Error(ErrorCode::io, fmt::format("cannot write '{}': {}", path.string(), std::strerror(error)));
}

/// Makes sure that what was written reached the disk; 0 or the error.
int sync(int file) { return fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP ? errno : 0; }

int write_all(int file, std::span<const std::string_view> parts) {
  for (std::string_view text : parts) {
    while (!text.empty()) {
      const ssize_t n = ::write(file, text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return errno;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  return sync(file);
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

constexpr const char* partial_mark = ".partial-";  // then six characters

/// A new file of an unused name beside `path`.
struct Temporary {
  fs::path name;
  int file;
};
Temporary open_temporary(const fs::path& path) {
  std::error_code error;
  fs::create_directories(folder_of(path), error);
  if (error) fail(path, error.value());
  std::string name = path.string() + partial_mark + "XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0) fail(path, errno);
  fchmod(file, 0644);
  return {name, file};
}

/// Ends the life of a temporary file: as `path`, or, when there was an error, not at all.
void put_in_place(const Temporary& temporary, const fs::path& path, int error) {
  if (close(temporary.file) != 0 && error == 0) error = errno;
  if (error == 0 && rename(temporary.name.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(temporary.name.c_str());
    fail(path, error);
  }
  const int folder = open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY);
  if (folder < 0) return;
  fsync(folder);  // the new name, too, outlives a power cut
  close(folder);
}

fs::path home_folder(const char* variable, const char* fallback) {
  if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0')
    return fs::path(folder) / "rafter";
  const char* home = std::getenv("HOME");
  return (home != nullptr && *home != '\0' ? fs::path(home) / fallback : fs::path("/tmp")) / "rafter";
}

}  // namespace

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

bool is_replaceable(const fs::path& path) { return !is_special(path) && !is_device(path); }

void write_file(const fs::path& path, std::string_view text) { write_file(path, {&text, 1}); }

void write_file(const fs::path& name, std::span<const std::string_view> parts) {
  const fs::path path = target_of(name);
  if (is_folder(path)) fail(path, EISDIR);
  if (!is_replaceable(path)) {
    const int file = open(path.c_str(), O_WRONLY | O_APPEND);
    if (file < 0) fail(path, errno);
    const int error = write_all(file, parts);
    close(file);
    if (error != 0) fail(path, error);
    return;
  }
  const Temporary temporary = open_temporary(path);
  put_in_place(temporary, path, write_all(temporary.file, parts));
}

void replace_file(const fs::path& name, const std::function<void(const fs::path&)>& fill) {
  const fs::path path = target_of(name);
  if (is_folder(path)) fail(path, EISDIR);
  const Temporary temporary = open_temporary(path);
  try {
    fill(temporary.name);
  } catch (...) {
    close(temporary.file);
    unlink(temporary.name.c_str());
    throw;
  }
  put_in_place(temporary, path, sync(temporary.file));
}

void remove_partial_files(const fs::path& path) {
  const std::string start = path.filename().string() + partial_mark;
  std::error_code error;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder_of(path), error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(start) && name.size() == start.size() + 6) found.push_back(entry.path());
  }
  for (const fs::path& partial : found) fs::remove(partial, error);
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

}  // namespace rafter::base
