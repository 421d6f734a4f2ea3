// Channel descriptors: the components of a texel.
#pragma once

#include <type_traits>

#include "rafter_simt/api/types.hpp"

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

namespace rafter_simt {

template <class Component>
constexpr cudaChannelFormatKind channel_kind() {
  if (std::is_floating_point_v<Component>) return cudaChannelFormatKindFloat;
  return std::is_signed_v<Component> ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned;
}

}  // namespace rafter_simt

/// Supports scalars and vectors of one, two or four components.
template <class Texel>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  if constexpr (std::is_arithmetic_v<Texel>) {
    return {int(8 * sizeof(Texel)), 0, 0, 0, rafter_simt::channel_kind<Texel>()};
  } else {
    using Component = decltype(Texel::x);
    const int bits = 8 * sizeof(Component), n = sizeof(Texel) / sizeof(Component);
    return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, rafter_simt::channel_kind<Component>()};
  }
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() { return {16, 16, 0, 0, cudaChannelFormatKindFloat}; }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() { return {16, 16, 16, 16, cudaChannelFormatKindFloat}; }
