// The form of every scan: a function template `name(stream, in, kind, out)` in scan_ladder::<device>.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "rafter/stream.hpp"

namespace rafter::scan_ladder {

enum class ScanKind { exclusive, inclusive };

/// What long sums are carried in: double, or an unsigned integer, which wraps.
template <class T>
using Carry = std::conditional_t<std::is_floating_point_v<T>, double, unsigned long long>;

}  // namespace rafter::scan_ladder

// Declares the rung `name`.
#define RAFTER_SCAN_SIGNATURE(name) \
  template <class T>                \
  void name(const Stream& stream, std::span<const T> in, ScanKind kind, std::span<T> out)

// Ends a rung's file: instantiates it for the element types of the workload.
#define RAFTER_SCAN_INSTANCE(name, T) template void name<T>(const Stream&, std::span<const T>, ScanKind, std::span<T>)
#define RAFTER_SCAN_RUNG(name)              \
  RAFTER_SCAN_INSTANCE(name, float);        \
  RAFTER_SCAN_INSTANCE(name, double);       \
  RAFTER_SCAN_INSTANCE(name, std::int32_t); \
  RAFTER_SCAN_INSTANCE(name, std::int64_t)
