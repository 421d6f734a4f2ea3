#include "apps/solve/output_locks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.hpp"
#include "rafter/error.hpp"

namespace rafter::solve {

namespace fs = std::filesystem;

namespace {

fs::path absolute_name(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

}  // namespace

void OutputLocks::lock_folder(const fs::path& folder) { lock(folder, absolute_name(folder) / "rafter.lock"); }

void OutputLocks::lock_file(const fs::path& file) {
  if (base::is_replaceable(file)) lock(file, absolute_name(file).string() + ".lock");
}

void OutputLocks::lock(const fs::path& what, const fs::path& lock_path) {
  const auto is_it = [&](const base::FileLock& held) { return held.path() == lock_path; };
  if (std::any_of(held_.begin(), held_.end(), is_it)) return;
  base::FileLock taken(lock_path, fmt::format("process {}", getpid()));
  if (taken.holder()) {
    throw Error(ErrorCode::io, fmt::format("another run is writing '{}' ({}): wait for it, or write elsewhere",
                                           what.string(), *taken.holder()));
  }
  held_.push_back(std::move(taken));
}

}  // namespace rafter::solve
