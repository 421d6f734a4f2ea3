// The memory that ops share on a stream. For the implementation of ops, in the host thread that calls them: an op has
// the stream to itself while it enqueues (op_scope.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "rafter/stream.hpp"

namespace rafter::core {

/// Returns at least `bytes` of scratch on the stream's device, valid until more is requested or the op ends.
std::byte* scratch(const Stream& stream, std::int64_t bytes);

/// Returns the most that an op which can work with less scratch should request. During a capture: the scratch already
/// allocated.
std::int64_t scratch_limit(const Stream& stream);

/// Returns `n_tickets` counters in device memory. They are zero before every op, and the op must leave them zero.
unsigned* tickets(const Stream& stream);
inline constexpr int n_tickets = 4096;

}  // namespace rafter::core
