// Precompiled executor headers: parsing them is most of the time spent compiling a small program.
#pragma once

#include <filesystem>
#include <optional>

#include "base/process.hpp"
#include "executor/build/cache.hpp"
#include "executor/build/program.hpp"

namespace rafter::simt::build {

/// Returns a folder of the cache to search first, in which g++ finds a precompiled header for `-include
/// rafter_simt/all.hpp` made with exactly these flags. Returns nothing while precompiling does not pay off or is
/// impossible. `flags` are the compiler and all options that do not concern a single source; `n_uses` sources are about
/// to be compiled with them. g++ ignores an unusable precompiled header and reads the headers themselves.
std::optional<std::filesystem::path> precompiled_headers(const base::Command& flags, std::ptrdiff_t n_uses,
                                                         const Toolchain& toolchain);

/// Adds the parts of the toolchain that affect the result of a compilation: the compiler and the executor's headers.
void add_stamps(Digest& digest, const Toolchain& toolchain);

/// Removes a precompiled header from the cache if it is damaged, and returns whether it was. Called after a compilation
/// that used it failed.
bool drop_damaged(const std::filesystem::path& folder);

}  // namespace rafter::simt::build
