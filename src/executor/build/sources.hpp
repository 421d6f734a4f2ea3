// The files of a project: a source and the headers it includes, rewritten into a folder of copies where necessary.
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
  /// Headers in `include_dirs` are part of the project. Other headers are left to the compiler.
  Sources(std::vector<std::filesystem::path> include_dirs, RewriteOptions options)
      : include_dirs_(std::move(include_dirs)), options_(std::move(options)) {}

  /// Reads a source and all project headers that it includes. Throws Error (io) if a file cannot be read.
  void add(const std::filesystem::path& source);

  /// Determines which files change and which features they use. Call it once, when all sources are added.
  void examine();

  /// Writes a rewritten copy of the source, preceded by `preamble`, and of the headers that need one into `folder`.
  /// Returns the copy's path. Requires examine().
  std::filesystem::path write_copy(const std::filesystem::path& source, const std::filesystem::path& folder,
                                   const std::string& preamble, Side side = Side::both);

  /// Whether host and device see different code of the source or of its headers, so that each needs a compilation.
  bool depends_on_side(const std::filesystem::path& source) const;

  /// Returns the names in #include lines of a source and its headers that are not files of the project.
  std::vector<std::string> includes_outside(const std::filesystem::path& source) const;

  /// Returns every file read, with its text.
  std::map<std::filesystem::path, std::string> texts() const;
  /// Maps each copy to its original file.
  const std::map<std::string, std::string>& copies() const { return copies_; }
  const std::set<std::string>& device_names() const { return device_names_; }
  /// The functions for host and device.
  const std::set<std::string>& common_names() const { return common_names_; }
  bool inter_block() const { return inter_block_; }
  bool names_volatile() const { return names_volatile_; }
  bool declares_arrays() const { return declares_arrays_; }
  /// Whether a kernel also has a vectorised form (rewrite/lanes).
  bool has_lanes() const { return has_lanes_; }
  bool has_computed_include() const { return has_computed_include_; }
  /// Whether the project includes NVIDIA headers that work with a host compiler and have no stand-in here: Thrust and
  /// parts of libcu++.
  bool uses_toolkit(const std::filesystem::path& own_headers) const;

 private:
  struct File {
    std::string shown;  // its name in messages, spelled as by the user
    std::string text;
    std::vector<std::filesystem::path> includes;
    std::vector<std::string> outside;
    bool needs_copy = false;
    bool depends_on_side = false;
    std::map<Side, std::filesystem::path> copies;
  };

  std::filesystem::path resolve(const Include& include, const std::filesystem::path& from) const;
  void load(const std::filesystem::path& path, const std::string& shown);
  std::filesystem::path copy(const std::filesystem::path& path, const std::filesystem::path& folder, Side side);
  /// Returns the source and the project's headers that it includes.
  std::vector<std::filesystem::path> reached(const std::filesystem::path& source) const;

  std::vector<std::filesystem::path> include_dirs_;
  RewriteOptions options_;
  std::map<std::filesystem::path, File> files_;  // by absolute path
  std::map<std::string, std::string> copies_;
  std::set<std::string> device_names_, common_names_;
  std::set<std::string> headers_;  // of the executor that the rewritten files need
  bool inter_block_ = false;
  bool names_volatile_ = false;
  bool declares_arrays_ = false;
  bool has_lanes_ = false;
  bool has_computed_include_ = false;
};

}  // namespace rafter::simt::build
