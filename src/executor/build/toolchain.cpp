#include "executor/build/toolchain.hpp"

#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

fs::path this_program() { return fs::read_symlink("/proc/self/exe"); }

Toolchain toolchain() {
  // program path: ROOT/libexec/rafter/PROGRAM
  const fs::path root = this_program().parent_path().parent_path().parent_path();
  const Toolchain installed{root / "share/rafter/simt/include", root / "lib/librafter_simt.so",
                            root / "libexec/rafter/simt"};
  // program path: BUILD/libexec/PROGRAM; the folder may have moved
  const fs::path build = this_program().parent_path().parent_path();
  const Toolchain moved{build / RAFTER_SHIM_FROM_BUILD, build / RAFTER_RUNTIME_FROM_BUILD, build / "simt_tools"};
  const Toolchain built{RAFTER_SHIM_DIR, RAFTER_RUNTIME, RAFTER_TOOLS_DIR};
  for (const auto& candidate : {installed, moved, built}) {
    if (fs::exists(candidate.shim_dir / "cuda_runtime.h") && fs::exists(candidate.runtime_library)) return candidate;
  }
  throw Error(ErrorCode::io, "the executor's headers and runtime were not found, neither installed (" +
                                 installed.shim_dir.string() + ") nor in the build tree (" + built.shim_dir.string() +
                                 ")");
}

}  // namespace rafter::simt::build
