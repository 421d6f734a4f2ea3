// Reads a kernel's body.
#pragma once

#include <optional>
#include <set>

#include "executor/build/rewrite/lanes/syntax.hpp"
#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build::lanes {

/// A kernel, by its tokens.
struct KernelText {
  int parameters;        // their `(`
  int begin, end;        // the braces of the body
  std::set<int> guards;  // the `if` of each guard
};

/// The body, or nothing when it has anything that is not known here.
std::optional<Body> parse(const Pass& pass, const KernelText& kernel);

}  // namespace rafter::simt::build::lanes
