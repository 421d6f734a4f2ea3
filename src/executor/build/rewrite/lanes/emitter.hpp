// Writes a kernel's body anew, for the lanes of a vector: values that vary become rafter_simt::Lanes
// (rafter_simt/lanes/), conditions that vary become masks of the lanes at work.
#pragma once

#include <string>

#include "executor/build/rewrite/lanes/parser.hpp"

namespace rafter::simt::build::lanes {

/// Statements over several lines, each with the line it comes from.
std::string emit(const Pass& pass, const Body& body);

}  // namespace rafter::simt::build::lanes
