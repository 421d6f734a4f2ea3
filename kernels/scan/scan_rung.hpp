// The signature of scan's rungs: their arguments and element types.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "library/core/rung.hpp"
#include "rafter/scan.hpp"

namespace rafter::scan_ladder {

enum class ScanKind { exclusive, inclusive };

/// The type in which long sums are carried: double, or an unsigned integer, which wraps.
template <class T>
using Carry = std::conditional_t<std::is_floating_point_v<T>, double, unsigned long long>;

template <class T>
struct ScanArgs {
  std::span<const T> in;
  ScanKind kind;
  std::span<T> out;  // may be `in`
};

using ScanRung = core::RungOf<ScanArgs, ScanTypes>;

}  // namespace rafter::scan_ladder
