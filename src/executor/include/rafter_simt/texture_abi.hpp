// The runtime interface for textures and surfaces, an extension of abi.hpp.
#pragma once

namespace rafter_simt {

/// The shape of a resource or an access. Layers and cube faces are stored like slices.
enum class TextureShape : int { linear, one, two, three, one_layered, two_layered, cube, cube_layered };

enum class FetchKind : int { base, level, gather };
constexpr int fetch_wants_float = 1 << 8;  // otherwise integers

/// Four 32-bit components, or the bytes of a surface.
typedef unsigned Words __attribute__((vector_size(16)));

}  // namespace rafter_simt

extern "C" {
/// Fetches a texel. `how`: the shape, the kind << 4, fetch_wants_float. `number`: the layer, the component to gather,
/// or the texel of a linear texture.
rafter_simt::Words rafter_simt_fetch(unsigned long long texture, int how, float x, float y, float z, int number,
                                     float level);
/// Fetches with gradients: the level follows from the derivatives of the coordinates along both axes of an image.
rafter_simt::Words rafter_simt_fetch_gradient(unsigned long long texture, int how, float x, float y, float z,
                                              int number, float x_by_x, float y_by_x, float z_by_x, float x_by_y,
                                              float y_by_y, float z_by_y);
/// Reads a surface. `how`: the shape, the boundary mode << 4, bytes << 8.
rafter_simt::Words rafter_simt_surface_read(unsigned long long surface, int how, int x, int y, int z);
void rafter_simt_surface_write(unsigned long long surface, int how, int x, int y, int z, rafter_simt::Words value);
}
