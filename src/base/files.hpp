// Files that are written atomically, and the tool's folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rafter::base {

/// Writes a file atomically: to a temporary name in the same folder, then renames it. Throws Error (io) and leaves the
/// old file unchanged on failure. Creates missing folders. Follows a link and replaces its target. Writes directly to
/// anything that is not a regular file (a pipe, /dev/stderr).
void write_file(const std::filesystem::path& path, std::string_view text);
void write_file(const std::filesystem::path& path, std::span<const std::string_view> parts);

/// Replaces a file by what `fill` writes to the temporary name it is passed, which is an empty file. If it throws, the
/// old file is unchanged. Regular files only.
void replace_file(const std::filesystem::path& path, const std::function<void(const std::filesystem::path&)>& fill);

/// Returns the file that a new version replaces: the target of a link. Throws Error (io) for a folder, and for anything
/// that is written directly.
std::filesystem::path replaceable_file(const std::filesystem::path& path);

/// Removes the temporary files that killed processes left for this file.
void remove_partial_files(const std::filesystem::path& path);

/// Returns whether write_file() replaces the file; otherwise each call appends to a pipe or device.
bool is_replaceable(const std::filesystem::path& path);

/// Throws Error (io) unless write_file() can write there; called before hours of work, not after.
void require_writable(const std::filesystem::path& path);

/// Returns the contents of a file, or nullopt when it cannot be read. Named pipes and devices, which might never end,
/// cannot; the shell's <(command) can.
std::optional<std::string> read_file(const std::filesystem::path& path);

/// Returns the contents of a file that an untrusted program may have made: nullopt unless it is a regular file, and no
/// link, of at most `most_bytes`.
std::optional<std::string> read_regular_file(const std::filesystem::path& path, std::int64_t most_bytes);

/// Returns the folder of measured roofs: $XDG_CACHE_HOME/rafter or ~/.cache/rafter.
std::filesystem::path cache_folder();

/// Returns the folder in which processes of this user on this machine find each other: $XDG_RUNTIME_DIR/rafter, or a
/// folder named after the machine in the cache folder, because homes may be shared between machines.
std::filesystem::path runtime_folder();

/// Returns the folder of results without a file name: $XDG_STATE_HOME/rafter or ~/.local/state/rafter.
std::filesystem::path results_folder();

/// Returns the folder of temporary files: $TMPDIR, or /tmp if that is not a folder.
std::filesystem::path temporary_folder();

/// A new temporary folder, removed with the object. Throws Error (io) when it cannot be created.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rafter::base
