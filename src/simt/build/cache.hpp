// Programs built before, found again by what they were made of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rafter::simt::build {

/// A 128-bit digest of everything added to it, in order.
class Digest {
 public:
  void add(std::string_view text);
  /// A file's name, size and time stands for its contents.
  void add_stamp(const std::filesystem::path& file);
  std::string text() const;

 private:
  std::uint64_t a_ = 0xcbf29ce484222325, b_ = 0x9e3779b97f4a7c15;
};

class Cache {
 public:
  /// In $XDG_CACHE_HOME/rafter/simt or ~/.cache/rafter/simt; in a folder for temporary files when that cannot be
  /// written.
  Cache();

  const std::filesystem::path& folder() const { return folder_; }

  /// The program of that key, or an empty path.
  std::filesystem::path find(const std::string& key) const;
  /// Moves a program in, and drops the ones not used for longest; returns its place.
  std::filesystem::path keep(const std::string& key, const std::filesystem::path& program) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace rafter::simt::build
