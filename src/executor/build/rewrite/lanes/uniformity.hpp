// Determines which variables and conditions are uniform across lanes and which vary. A variable varies if a varying
// value is assigned to it, or if it is assigned while some lanes that may still read it are inactive.
#pragma once

#include "executor/build/rewrite/lanes/syntax.hpp"

namespace rafter::simt::build::lanes {

/// Marks the varying variables and statements. Returns false if something varies that must not.
bool find_varying(Body& body);

/// Whether an expression varies. Requires find_varying().
bool varies(const Expression& expression);

}  // namespace rafter::simt::build::lanes
