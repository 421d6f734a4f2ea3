// A process as rafter-sandbox runs it. Only for base/process.cpp.
#pragma once

#include <string>
#include <string_view>

#include "base/process.hpp"
#include "base/sandbox/sandbox.hpp"

namespace rafter::base {

/// Returns the process that runs this one in a sandbox (launcher/plan.hpp), which keeps its time limit and writes its
/// ending to a file descriptor.
Process in_sandbox(const Process& process, const Sandbox& sandbox, int ending);

/// Returns the outcome that a sandbox reported. Throws Error if it did not run the program.
Outcome outcome_in_sandbox(const std::string& ending, const Process& process);

/// Returns how to install a program that is not on the PATH; empty for programs that Rafter does not need itself.
inline std::string_view how_to_install(std::string_view program) {
  if (program == "g++") return "; install it (Debian's package: g++)";
  if (program == "cmake") return "; install it (Debian's package: cmake)";
  for (const std::string_view tool : {"addr2line", "as", "c++filt", "nm", "objdump", "readelf"}) {
    if (program == tool) return "; install it (Debian's package: binutils)";
  }
  return "";
}

}  // namespace rafter::base
