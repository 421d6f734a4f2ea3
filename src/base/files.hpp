// Files that are either whole or not there.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rafter::base {

/// Writes to a temporary name beside `path` and renames; throws Error (io) and leaves what was there when it cannot.
/// Makes missing folders. A link stays and what it leads to is written; something that is not a plain file (a pipe,
/// /dev/stderr) is written directly.
void write_file(const std::filesystem::path& path, std::string_view text);
void write_file(const std::filesystem::path& path, std::span<const std::string_view> parts);

/// The same for what others write: `fill` gets the temporary name, of an empty file, and fills it. When it throws, what
/// was there stays. Only for plain files.
void replace_file(const std::filesystem::path& path, const std::function<void(const std::filesystem::path&)>& fill);

/// The file that a new version takes the place of: what a link leads to. Throws Error (io) for a folder, and for what
/// is written directly.
std::filesystem::path replaceable_file(const std::filesystem::path& path);

/// Removes what processes that were killed left of new versions of this file.
void remove_partial_files(const std::filesystem::path& path);

/// Whether write_file replaces what is there; otherwise each call writes to a pipe or device once more.
bool is_replaceable(const std::filesystem::path& path);

/// Throws Error (io) unless write_file could write there; asked before hours of work, not after.
void require_writable(const std::filesystem::path& path);

/// The text of a file, or nothing when it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

/// Where measured roofs are kept: $XDG_CACHE_HOME/rafter or ~/.cache/rafter.
std::filesystem::path cache_folder();

/// Where processes of this user on this machine find each other: $XDG_RUNTIME_DIR/rafter, or a
/// folder with its name among what is cached, as homes are shared between machines.
std::filesystem::path runtime_folder();

/// Where results are kept when no file is named: $XDG_STATE_HOME/rafter or ~/.local/state/rafter.
std::filesystem::path results_folder();

}  // namespace rafter::base
