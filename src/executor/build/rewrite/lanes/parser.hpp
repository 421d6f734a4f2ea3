// Parses a kernel's body.
#pragma once

#include <optional>
#include <set>

#include "executor/build/rewrite/lanes/syntax.hpp"
#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build::lanes {

/// The token positions of a kernel.
struct KernelText {
  int parameters;        // its `(`
  int begin, end;        // the braces of the body
  std::set<int> guards;  // the `if` of each guard
};

/// Returns the body, or nothing if it contains an unknown construct.
std::optional<Body> parse(const Pass& pass, const KernelText& kernel);

}  // namespace rafter::simt::build::lanes
