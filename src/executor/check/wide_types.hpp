// Alignment of 16-byte accesses.
#pragma once

namespace rafter::simt {

/// Whether the program has structures of 16 bytes with an alignment of 8, such as two doubles. The hooks do not know
/// the type of an access: in such a program, 16 bytes at a multiple of 8 may be one of those or a misaligned double2.
bool has_structures_at_8();

}  // namespace rafter::simt
