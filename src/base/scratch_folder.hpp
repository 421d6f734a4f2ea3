// A folder that is there as long as its object.
#pragma once

#include <filesystem>

namespace rafter::base {

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
