// Loops that do nothing but wait for another thread to change memory: `while (flag == 0) {}`.
#pragma once

#include "executor/build/rewrite/lexer.hpp"

namespace rafter::simt::build {

/// Returns the body of the loop that begins at token `i`, its `;` or `{`, if the loop only waits for a variable; -1
/// otherwise. Loops over atomics, volatile casts and clocks are not meant: each of their accesses lets other threads
/// run.
int waiting_body(const Tokens& tokens, int i);

}  // namespace rafter::simt::build
