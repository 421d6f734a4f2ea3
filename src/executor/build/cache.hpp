// Programs built before, found again by what they were made of.
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
  /// A file's name, size and time stands for its contents.
  void add_stamp(const std::filesystem::path& file);
  std::string text() const;

 private:
  std::uint64_t a_ = 0xcbf29ce484222325, b_ = 0x9e3779b97f4a7c15;
};

/// A checksum of a file's bytes but the last `n_last`, for what lies in the cache for long; 0 when it cannot be read.
std::uint64_t checksum_of(const std::filesystem::path& file, std::size_t n_last = 0);

class Cache {
 public:
  /// In $XDG_CACHE_HOME/rafter/simt or ~/.cache/rafter/simt; in a folder for temporary files when that cannot be
  /// written.
  Cache();

  const std::filesystem::path& folder() const { return folder_; }

  /// The program of that key, or an empty path. One that is not as it was put there is taken out.
  std::filesystem::path find(const std::string& key) const;
  /// Moves a program in, and drops the ones not used for longest; returns its place.
  std::filesystem::path keep(const std::string& key, const std::filesystem::path& program) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace rafter::simt::build
