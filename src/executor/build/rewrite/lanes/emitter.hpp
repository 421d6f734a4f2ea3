// Emits a kernel's body for the lanes of a vector: varying values become rafter_simt::Lanes (rafter_simt/lanes/),
// varying conditions become masks of the active lanes.
#pragma once

#include <string>

#include "executor/build/rewrite/lanes/parser.hpp"

namespace rafter::simt::build::lanes {

/// Returns the body's statements, each preceded by a #line with its source line.
std::string emit(const Pass& pass, const Body& body);

}  // namespace rafter::simt::build::lanes
