// A diagnosis for people: one screen.
#pragma once

#include <string>
#include <vector>

#include "base/terminal.hpp"
#include "workbench/explain/diagnose.hpp"

namespace rafter::explain {

/// What was looked at, and what could not be.
struct Sources {
  std::vector<std::string> known{}, unknown{};
};

std::string screen(const Facts& facts, const Diagnosis& diagnosis, const Gpu& gpu, const Sources& sources,
                   base::Style style);

/// A program: what limits it as a whole where something does, then its heaviest kernels.
std::string screen(const ProgramFacts& facts, const ProgramDiagnosis& diagnosis, const Gpu& gpu, const Sources& sources,
                   base::Style style);

}  // namespace rafter::explain
