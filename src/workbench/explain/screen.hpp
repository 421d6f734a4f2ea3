// A diagnosis as text that fits one screen.
#pragma once

#include <string>
#include <vector>

#include "base/terminal.hpp"
#include "workbench/explain/diagnose.hpp"

namespace rafter::explain {

/// The sources of facts that were used, and those that were not available.
struct Sources {
  std::vector<std::string> known{}, unknown{};
};

std::string screen(const Facts& facts, const Diagnosis& diagnosis, const Gpu& gpu, const Sources& sources,
                   base::Style style);

/// Shows a program: what limits it as a whole, if anything, followed by its heaviest kernels.
std::string screen(const ProgramFacts& facts, const ProgramDiagnosis& diagnosis, const Gpu& gpu, const Sources& sources,
                   base::Style style);

}  // namespace rafter::explain
