// Which variables and conditions are the same for all lanes, and which vary. A variable varies when a varying value
// goes into it, or when it changes where not all lanes are at work that can still ask for it.
#pragma once

#include "executor/build/rewrite/lanes/syntax.hpp"

namespace rafter::simt::build::lanes {

/// Marks them. False when something varies that must not.
bool find_varying(Body& body);

/// Afterwards: of an expression.
bool varies(const Expression& expression);

}  // namespace rafter::simt::build::lanes
