#include "base/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/new_file.hpp"
#include "rafter/error.hpp"

namespace rafter::base {

namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_special(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_regular_file(path, error);
}

/// Returns whether the path names a standard stream. /dev/stdout and the like lead to the caller's redirection,
/// possibly a regular file that other processes write, too.
bool is_device(const fs::path& path) {
  const std::string text = path.string();
  return text.starts_with("/dev/") || text.starts_with("/proc/");
}

/// Returns the target of a link, which need not exist. Writing replaces the target and keeps the link.
fs::path target_of(fs::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && !is_device(path) && fs::is_symlink(path, error); ++links) {
    const fs::path next = fs::read_symlink(path, error);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

fs::path home_folder(const char* variable, const char* fallback) {
  if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0')
    return fs::path(folder) / "rafter";
  const char* home = std::getenv("HOME");
  return (home != nullptr && *home != '\0' ? fs::path(home) / fallback : fs::path("/tmp")) / "rafter";
}

/// Removes a temporary file, unless a process is still writing it.
void remove_unless_in_use(const fs::path& partial) {
  const int file = open(partial.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  if (lock_descriptor(file, Lock::at_once)) unlink(partial.c_str());
  close(file);
}

}  // namespace

bool is_replaceable(const fs::path& path) { return !is_special(path) && !is_device(path); }

void write_file(const fs::path& path, std::string_view text) { write_file(path, {&text, 1}); }

void write_file(const fs::path& name, std::span<const std::string_view> parts) {
  const fs::path path = target_of(name);
  if (is_folder(path)) fail_to_write(path, EISDIR);
  if (!is_replaceable(path)) {
    const int file = open(path.c_str(), O_WRONLY | O_APPEND);
    if (file < 0) fail_to_write(path, errno);
    int error = write_all(file, parts);
    if (error == 0) error = sync(file);
    close(file);
    if (error != 0) fail_to_write(path, error);
    return;
  }
  NewFile file(path);
  file.write(parts);
  file.commit();
}

fs::path replaceable_file(const fs::path& name) {
  fs::path path = target_of(name);
  if (is_folder(path)) fail_to_write(path, EISDIR);
  if (!is_replaceable(path))
    throw Error(ErrorCode::io, "cannot write '" + path.string() + "': it is not a regular file");
  return path;
}

void replace_file(const fs::path& name, const std::function<void(const fs::path&)>& fill) {
  NewFile file(replaceable_file(name));
  file.unlock();
  fill(file.name());
  file.commit();
}

void remove_partial_files(const fs::path& path) {
  const std::string start = path.filename().string() + partial_mark;
  std::error_code error;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder_of(path), error)) {
    const std::string name = entry.path().filename().string();
    const std::size_t n_more = name.starts_with(start) ? name.size() - start.size() : 0;
    if (n_more == 6 || (n_more == 10 && name.ends_with("-old"))) found.push_back(entry.path());
  }
  for (const fs::path& partial : found) remove_unless_in_use(partial);
}

void require_writable(const fs::path& name) {
  const fs::path path = target_of(name);
  if (is_folder(path)) fail_to_write(path, EISDIR);
  if (!is_replaceable(path)) {
    if (access(path.c_str(), W_OK) != 0) fail_to_write(path, errno);
    return;
  }
  std::vector<fs::path> missing;  // missing folders, the deepest first
  std::error_code error;
  for (fs::path folder = path.parent_path(); !folder.empty() && !fs::exists(folder, error);
       folder = folder.parent_path()) {
    missing.push_back(folder);
  }
  { const NewFile writable(path); }
  for (const fs::path& folder : missing) fs::remove(folder, error);
}

std::optional<std::string> read_file(const fs::path& path) {
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  const bool is_pipe_of_shell = exists && S_ISFIFO(status.st_mode) && is_device(path);
  if (!exists || !(S_ISREG(status.st_mode) || is_pipe_of_shell)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::optional<std::string> read_regular_file(const fs::path& path, std::int64_t most_bytes) {
  const int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status {};
  std::optional<std::string> text;
  if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= most_bytes) {
    text.emplace(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t n_read = 0;
    for (ssize_t n; n_read < text->size() && (n = read(file, text->data() + n_read, text->size() - n_read)) > 0;)
      n_read += static_cast<std::size_t>(n);
    text->resize(n_read);
  }
  if (file >= 0) close(file);
  return text;
}

fs::path cache_folder() { return home_folder("XDG_CACHE_HOME", ".cache"); }
fs::path runtime_folder() {
  const char* folder = std::getenv("XDG_RUNTIME_DIR");
  if (folder != nullptr && *folder != '\0') return fs::path(folder) / "rafter";
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return cache_folder() / "hosts" / host.data();
}
fs::path results_folder() { return home_folder("XDG_STATE_HOME", ".local/state"); }

fs::path temporary_folder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  return error ? fs::path("/tmp") : folder;
}

ScratchFolder::ScratchFolder() {
  std::string name = (temporary_folder() / "rafter-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw Error(ErrorCode::io,
                fmt::format("cannot create the temporary folder '{}': {}; set TMPDIR to a writable folder", name,
                            std::strerror(errno)));
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace rafter::base
