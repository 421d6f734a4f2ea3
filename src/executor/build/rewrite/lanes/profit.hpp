// Whether lanes are worth their while. Arithmetic is, and loads and stores of neighbouring elements are; elements that
// lie anywhere, quotients of integers and calls are done lane by lane, which takes longer than threads one by one do.
#pragma once

#include "executor/build/rewrite/callees.hpp"
#include "executor/build/rewrite/lanes/syntax.hpp"

namespace rafter::simt::build::lanes {

/// Of a body whose varying parts are known: whether its loops have nothing of the latter.
bool is_worthwhile(Body& body, const Callees& callees);

}  // namespace rafter::simt::build::lanes
