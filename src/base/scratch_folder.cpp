#include "base/scratch_folder.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "rafter/error.hpp"

namespace rafter::base {

namespace fs = std::filesystem;

fs::path temporary_folder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  return error ? fs::path("/tmp") : folder;
}

ScratchFolder::ScratchFolder() {
  std::string name = (temporary_folder() / "rafter-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw Error(ErrorCode::io, fmt::format("cannot make a temporary folder '{}': {}; TMPDIR names another place", name,
                                           std::strerror(errno)));
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace rafter::base
