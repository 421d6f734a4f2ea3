// Our headers, precompiled: reading them is most of the work of compiling a small program.
#pragma once

#include <filesystem>
#include <optional>

#include "base/process.hpp"
#include "executor/build/cache.hpp"
#include "executor/build/program.hpp"

namespace rafter::simt::build {

/// A folder of the cache to search before all others, in which g++ finds what `-include rafter_simt/all.hpp` asks for
/// precompiled with exactly these flags; nothing as long as it does not pay, or where it cannot be made. `flags` are
/// the compiler and all its options but those about a source; `n_uses` sources will be compiled with them now. g++
/// passes over what it finds unfit and reads the headers themselves.
std::optional<std::filesystem::path> precompiled_headers(const base::Command& flags, std::ptrdiff_t n_uses,
                                                         const Toolchain& toolchain);

/// What of the toolchain decides what a compilation gives: the compiler and our headers.
void add_stamps(Digest& digest, const Toolchain& toolchain);

/// Asked when a compilation with them failed: takes them out of the cache, and says so, when they are not as they were
/// made.
bool drop_damaged(const std::filesystem::path& folder);

}  // namespace rafter::simt::build
