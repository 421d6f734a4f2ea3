// A folder that is there as long as its object.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "rafter/error.hpp"

namespace rafter::base {

/// A folder of this run's own, gone afterwards.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "rafter-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw Error(ErrorCode::io, "cannot make a folder in " + name);
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rafter::base
