// Accesses of 16 bytes: whether they must lie at multiples of 16.
#pragma once

namespace rafter::simt {

/// Whether the program has structures of 16 bytes that may lie at multiples of 8, two doubles for example. The compiler
/// tells our hooks nothing of a type: in such a program 16 bytes there can be one of those, or a misaligned double2.
bool has_structures_at_8();

}  // namespace rafter::simt
