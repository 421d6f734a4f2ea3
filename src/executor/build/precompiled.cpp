#include "executor/build/precompiled.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "base/files.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

namespace {

// Headers are precompiled for the third source with the same flags: that takes as long as parsing them three times
// (1.25 s and 0.45 s), and a user's first program should not wait for it.
constexpr off_t n_uses_before = 2;
constexpr std::size_t n_headers_kept = 6;  // of 37 MB each
constexpr std::size_t n_remembered = 100;  // use counts of flags, a few bytes each
constexpr const char* header_name = "rafter_simt/all.hpp";
constexpr const char* checksum_name = "rafter_simt/checksum";
constexpr const char* precompiled_name = "rafter_simt/all.hpp.gch";  // where g++ looks for it

/// Returns the program's path on the PATH, or the name unchanged.
fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  std::string_view path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  while (!path.empty()) {
    const std::size_t colon = std::min(path.find(':'), path.size());
    const fs::path candidate = fs::path(path.substr(0, colon)) / name;
    std::error_code error;
    if (fs::exists(candidate, error)) return candidate;
    path.remove_prefix(std::min(colon + 1, path.size()));
  }
  return name;
}

bool is_relative_folder(const std::string& word) {
  if (word.starts_with("-I")) return fs::path(word.substr(2)).is_relative();
  return !word.starts_with("-") && fs::path(word).is_relative();
}

std::string key_of(const base::Command& flags, const Toolchain& toolchain) {
  Digest digest;
  digest.add("2");
  for (const std::string& word : flags) digest.add(word);
  if (std::any_of(flags.begin() + 1, flags.end(), is_relative_folder)) digest.add(fs::current_path().string());
  add_stamps(digest, toolchain);
  digest.add_stamp("/usr/include/stdio.h");  // the C library's headers
  return digest.text();
}

/// Counts the uses of a set of flags: the count is the size of a file, the last use its modification time. The process
/// that precompiles for these flags locks the file; the lock ends with the process at the latest.
class Uses {
 public:
  explicit Uses(const fs::path& file) : file_(open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {}
  ~Uses() {
    if (file_ >= 0) close(file_);
  }
  Uses(const Uses&) = delete;
  Uses& operator=(const Uses&) = delete;

  /// Adds `n` uses and returns the previous count.
  off_t add(std::ptrdiff_t n) const {
    struct stat before {};
    const std::string marks(static_cast<std::size_t>(n), '.');
    if (file_ < 0 || fstat(file_, &before) != 0 || write(file_, marks.data(), marks.size()) < 0) return 0;
    return before.st_size;
  }
  bool lock() const { return flock(file_, LOCK_EX | LOCK_NB) == 0; }

 private:
  int file_;
};

/// Drops the least recently used precompiled headers.
void drop_oldest_headers(const fs::path& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".uses") all.emplace_back(entry.last_write_time(error), entry.path());
  }
  std::sort(all.rbegin(), all.rend());
  std::size_t n_precompiled = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const fs::path precompiled = fs::path(all[i].second).replace_extension();
    n_precompiled += fs::exists(precompiled, error);
    if (i < n_remembered && (n_precompiled <= n_headers_kept || !fs::exists(precompiled, error))) continue;
    fs::remove_all(precompiled, error);
    fs::remove(all[i].second, error);
  }
}

/// Leaves the precompiled header in the folder. If the compiler fails, leaves an empty one, which is neither used nor
/// made again.
void make(const base::Command& flags, const fs::path& folder, const Toolchain& toolchain) {
  std::error_code error;
  fs::remove_all(folder, error);  // leftovers of a killed process
  const fs::path place = folder / precompiled_name, temporary = folder / "new";
  fs::create_directories(place.parent_path(), error);
  base::Command command = flags;
  command.insert(command.end(),
                 {"-x", "c++-header", (toolchain.shim_dir / header_name).string(), "-o", temporary.string()});
  if (!base::run(command).succeeded()) {
    fs::remove(temporary, error);
    close(open(temporary.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  }
  std::ofstream(folder / checksum_name) << checksum_of(temporary);
  fs::rename(temporary, place, error);
}

/// Returns the size of the precompiled header in a folder, or nothing if there is none.
std::optional<std::uintmax_t> bytes_in(const fs::path& folder) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(folder / precompiled_name, error);
  return error ? std::nullopt : std::optional(bytes);
}

}  // namespace

void add_stamps(Digest& digest, const Toolchain& toolchain) {
  digest.add_stamp(find_program(toolchain.compiler));
  std::vector<fs::path> headers;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(toolchain.shim_dir, error)) {
    if (entry.is_regular_file(error)) headers.push_back(entry.path());
  }
  std::sort(headers.begin(), headers.end());
  for (const fs::path& one : headers) digest.add_stamp(one);
}

bool drop_damaged(const fs::path& folder) {
  if (base::read_file(folder / checksum_name) == std::to_string(checksum_of(folder / precompiled_name))) return false;
  std::error_code error;
  fs::remove_all(folder, error);
  return true;
}

std::optional<fs::path> precompiled_headers(const base::Command& flags, std::ptrdiff_t n_uses,
                                            const Toolchain& toolchain) {
  const fs::path all = Cache().folder() / "headers", folder = all / key_of(flags, toolchain);
  std::error_code error;
  fs::create_directories(all, error);
  const Uses uses(fs::path(folder).concat(".uses"));
  const off_t n_all = uses.add(n_uses) + n_uses;
  if (!bytes_in(folder) && n_all > n_uses_before && uses.lock() && !bytes_in(folder)) {
    make(flags, folder, toolchain);
    drop_oldest_headers(all);
  }
  return bytes_in(folder).value_or(0) > 0 ? std::optional(folder) : std::nullopt;
}

}  // namespace rafter::simt::build
