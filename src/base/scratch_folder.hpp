// A folder that is there as long as its object.
#pragma once

#include <filesystem>

namespace rafter::base {

/// Where temporary files go: $TMPDIR, or /tmp where that is no folder.
std::filesystem::path temporary_folder();

/// A folder of its own among the temporary files; throws Error (io) when there is no room for one.
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
