// The files of a project: a source and what it includes, rewritten into a folder of copies where they need it.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "executor/build/rewrite/rewriter.hpp"

namespace rafter::simt::build {

class Sources {
 public:
  /// Headers in `include_dirs` are part of the project; those elsewhere are left to the compiler.
  Sources(std::vector<std::filesystem::path> include_dirs, RewriteOptions options)
      : include_dirs_(std::move(include_dirs)), options_(std::move(options)) {}

  /// Reads a source and everything of the project that it includes; throws Error (io) when it cannot be read.
  void add(const std::filesystem::path& source);

  /// After the last add(): finds out which files change and what they use.
  void examine();

  /// After examine(): writes a rewritten copy of the source, `front` before it, and of the headers that need one, into
  /// `folder`; returns the copy's path.
  std::filesystem::path write_copy(const std::filesystem::path& source, const std::filesystem::path& folder,
                                   const std::string& front);

  /// The names in #include lines of a source and its headers that no file of the project has.
  std::vector<std::string> includes_outside(const std::filesystem::path& source) const;

  /// Every file read, with its text.
  std::map<std::filesystem::path, std::string> texts() const;
  /// Copies and the files they were made from.
  const std::map<std::string, std::string>& copies() const { return copies_; }
  const std::set<std::string>& device_names() const { return device_names_; }
  bool inter_block() const { return inter_block_; }
  bool names_volatile() const { return names_volatile_; }
  bool declares_arrays() const { return declares_arrays_; }
  /// Whether a kernel is written for the lanes of a vector, too.
  bool has_lanes() const { return has_lanes_; }
  bool has_computed_include() const { return has_computed_include_; }
  /// Whether headers of NVIDIA's are included that work with a host compiler and have no stand-in among ours: Thrust,
  /// and parts of libcu++.
  bool uses_toolkit(const std::filesystem::path& own_headers) const;

 private:
  struct File {
    std::string shown;  // its name in messages: as the user wrote it
    std::string text;
    std::vector<std::filesystem::path> includes;
    std::vector<std::string> outside;
    bool needs_copy = false;
    std::filesystem::path copy;
  };

  std::filesystem::path resolve(const Include& include, const std::filesystem::path& from) const;
  void load(const std::filesystem::path& path, const std::string& shown);
  std::filesystem::path copy(const std::filesystem::path& path, const std::filesystem::path& folder);

  std::vector<std::filesystem::path> include_dirs_;
  RewriteOptions options_;
  std::map<std::filesystem::path, File> files_;  // by absolute path
  std::map<std::string, std::string> copies_;
  std::set<std::string> device_names_;
  bool inter_block_ = false;
  bool names_volatile_ = false;
  bool declares_arrays_ = false;
  bool has_lanes_ = false;
  bool has_computed_include_ = false;
};

}  // namespace rafter::simt::build
