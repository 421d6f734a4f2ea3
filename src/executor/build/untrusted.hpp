// The folders and sandboxes (base/sandbox/sandbox.hpp) of untrusted sources and of the program built from them. See
// docs/referee.md.
#pragma once

#include <filesystem>
#include <vector>

#include "base/files.hpp"
#include "base/sandbox/sandbox.hpp"

namespace rafter::simt::build {

/// Creates a temporary folder with a build cache of its own, and makes this process use that and keep its temporary
/// files there: programs built by others are neither found nor replaced.
class UntrustedWork {
 public:
  /// `readable` are the files and folders that the command line names. Throws Error (unsupported) where sandboxes are
  /// unavailable.
  explicit UntrustedWork(std::vector<std::filesystem::path> readable);

  /// Returns the sandbox for the compiler, and for binary utilities that read what it made.
  base::Sandbox building() const;

  /// Returns the sandbox for the program. What it was built from and the build itself are read-only there.
  base::Sandbox running() const;

  /// The folder that the program can write, and starts in. Only for files that the program makes: it may have replaced
  /// anything here by a link.
  std::filesystem::path results() const { return scratch_.path() / "run"; }

  /// A folder for files that the program only reads.
  std::filesystem::path inputs() const { return scratch_.path() / "build"; }

 private:
  base::ScratchFolder scratch_;
  std::vector<std::filesystem::path> readable_;
};

}  // namespace rafter::simt::build
