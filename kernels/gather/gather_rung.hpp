// The form of every gather: a function template `name(stream, table, indices, out, bounds)` in gather_ladder::<device>.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/gather.hpp"

// Declares the rung `name`.
#define RAFTER_GATHER_SIGNATURE(name)                                                                     \
  template <class T, class I>                                                                             \
  void name(const Stream& stream, std::span<const T> table, std::span<const I> indices, std::span<T> out, \
            Bounds bounds)

// Ends a rung's file: instantiates it for the element and index types of the workload.
#define RAFTER_GATHER_RUNG(name)               \
  RAFTER_GATHER_INSTANCES(name, float);        \
  RAFTER_GATHER_INSTANCES(name, double);       \
  RAFTER_GATHER_INSTANCES(name, std::int32_t); \
  RAFTER_GATHER_INSTANCES(name, std::int64_t)
#define RAFTER_GATHER_INSTANCES(name, T)                                                                              \
  template void name<T, std::int32_t>(const Stream&, std::span<const T>, std::span<const std::int32_t>, std::span<T>, \
                                      Bounds);                                                                        \
  template void name<T, std::int64_t>(const Stream&, std::span<const T>, std::span<const std::int64_t>, std::span<T>, \
                                      Bounds)

namespace rafter::gather_ladder {

/// Whether `index` leads into a table of `size` elements.
template <class I>
constexpr bool in_table(I index, std::int64_t size) {
  return static_cast<std::uint64_t>(std::int64_t{index}) < static_cast<std::uint64_t>(size);
}

}  // namespace rafter::gather_ladder
