#include "cli/solve/output_locks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {

namespace fs = std::filesystem;

namespace {

fs::path absolute_name(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

}  // namespace

void OutputLocks::take_folder(const fs::path& folder) { take(folder, absolute_name(folder) / "rafter.lock"); }

void OutputLocks::take_file(const fs::path& file) {
  if (base::is_replaceable(file)) take(file, absolute_name(file).string() + ".lock");
}

void OutputLocks::take(const fs::path& what, const fs::path& lock) {
  const auto is_it = [&](const base::FileLock& held) { return held.path() == lock; };
  if (std::any_of(held_.begin(), held_.end(), is_it)) return;
  base::FileLock taken(lock, fmt::format("process {}", getpid()));
  if (taken.holder()) {
    throw Error(ErrorCode::io, fmt::format("another run is writing '{}' ({}): wait for it, or write elsewhere",
                                           what.string(), *taken.holder()));
  }
  held_.push_back(std::move(taken));
}

}  // namespace rafter::cli
