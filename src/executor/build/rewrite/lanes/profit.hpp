// Decides whether vectorising a kernel pays off. Arithmetic and accesses to consecutive elements do. Accesses to
// scattered elements, integer division and calls run lane by lane, which takes longer than running the threads one by
// one.
#pragma once

#include "executor/build/rewrite/callees.hpp"
#include "executor/build/rewrite/lanes/syntax.hpp"

namespace rafter::simt::build::lanes {

/// Whether the loops of a body contain none of the slow operations. Requires find_varying().
bool is_worthwhile(Body& body, const Callees& callees);

}  // namespace rafter::simt::build::lanes
