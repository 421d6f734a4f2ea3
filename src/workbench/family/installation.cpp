#include "workbench/family/installation.hpp"

#include "rafter/error.hpp"

namespace rafter::family {

namespace fs = std::filesystem;

fs::path package_folder() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path installed = here.parent_path().parent_path() / RAFTER_PACKAGE_FOLDER;  // of PREFIX/libexec/rafter
  const fs::path built = here.parent_path();                                            // of BUILD/libexec
  for (const fs::path& folder : {installed, built}) {
    if (fs::exists(folder / "rafter-workload.cmake")) return folder;
  }
  throw Error(ErrorCode::io, "the CMake package that folders are built with is neither where it is installed (" +
                                 installed.string() + ") nor where it is built (" + built.string() + ")");
}

}  // namespace rafter::family
