// The programs that the tool is made of. Each is built when a command first asks for it.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace rafter::cli {

/// The one its options name; for a run the one that has its device, or draws, or loads workloads; for a journal that
/// becomes a page the one that makes pages.
std::string program_of(const Command& command);

/// Becomes the program of that name, which stands beside this one, with the same words. Returns only by throwing Error
/// (io) where there is none, with what would build it.
[[noreturn]] void become(const std::string& program, char** argv);

}  // namespace rafter::cli
