// A cache of built programs, keyed by a digest of everything they were built from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rafter::simt::build {

/// A 128-bit digest of everything added to it, in order.
class Digest {
 public:
  void add(std::string_view text);
  /// Adds a file's name, size and modification time in place of its contents.
  void add_stamp(const std::filesystem::path& file);
  std::string text() const;

 private:
  std::uint64_t a_ = 0xcbf29ce484222325, b_ = 0x9e3779b97f4a7c15;
};

/// Returns a checksum of a file without its last `n_last` bytes, or 0 if the file cannot be read.
std::uint64_t checksum_of(const std::filesystem::path& file, std::size_t n_last = 0);

class Cache {
 public:
  /// Uses $XDG_CACHE_HOME/rafter/simt or ~/.cache/rafter/simt, or a folder for temporary files if that is not writable.
  Cache();

  const std::filesystem::path& folder() const { return folder_; }

  /// Returns the program stored under `key`, or an empty path. Removes a program that is damaged.
  std::filesystem::path find(const std::string& key) const;
  /// Moves a program into the cache, drops the least recently used ones, and returns the program's new path.
  std::filesystem::path keep(const std::string& key, const std::filesystem::path& program) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace rafter::simt::build
