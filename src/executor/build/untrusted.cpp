#include "executor/build/untrusted.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "executor/build/toolchain.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

UntrustedWork::UntrustedWork(std::vector<fs::path> readable) : readable_(std::move(readable)) {
  if (const auto reason = base::why_no_sandbox()) throw Error(ErrorCode::unsupported, base::untrusted_refusal(*reason));
  chmod(scratch_.path().c_str(), 0711);  // root's programs run as another user
  for (const fs::path& folder : {results(), inputs() / "tmp", inputs() / "cache"}) fs::create_directories(folder);
  setenv("TMPDIR", (inputs() / "tmp").c_str(), 1);
  setenv("XDG_CACHE_HOME", (inputs() / "cache").c_str(), 1);
}

namespace {

/// Returns the default limits, on a small machine with half of its memory.
base::SandboxLimits limits() {
  base::SandboxLimits limits;
  const std::int64_t half = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE) / 2;
  limits.memory_bytes = std::min(limits.memory_bytes, half);
  return limits;
}

}  // namespace

base::Sandbox UntrustedWork::building() const {
  const Toolchain tools = toolchain();
  base::Sandbox sandbox{.readable = readable_, .writable = inputs(), .limits = limits()};
  for (const fs::path& library : installed_libraries(tools)) sandbox.readable.push_back(library);
  for (const fs::path& path : {tools.shim_dir, tools.runtime_library, tools.tools_dir})
    sandbox.readable.push_back(path);
  return sandbox;
}

base::Sandbox UntrustedWork::running() const {
  base::Sandbox sandbox{.readable = readable_, .writable = results(), .folder = results(), .limits = limits()};
  for (const fs::path& library : installed_libraries(toolchain())) sandbox.readable.push_back(library);
  for (const fs::path& path : {toolchain().runtime_library, inputs()}) sandbox.readable.push_back(path);
  return sandbox;
}

}  // namespace rafter::simt::build
