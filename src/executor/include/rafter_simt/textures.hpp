// The device functions for textures and surfaces. The rewriter includes this header only in sources that use one of
// them. Texels are passed to the runtime in registers, so that nothing is instrumented.
#pragma once

#include <type_traits>

#include "rafter_simt/api/templates.hpp"
#include "rafter_simt/api/textures.hpp"
#include "rafter_simt/texture_abi.hpp"

namespace rafter_simt {

template <class Component>
RAFTER_SIMT_INLINE Component component_of(unsigned word) {
  if constexpr (std::is_floating_point_v<Component>)
    return __builtin_bit_cast(Component, word);
  else
    return static_cast<Component>(word);
}

template <class Texel, bool is_scalar = std::is_arithmetic_v<Texel>>
struct TexelTraits {
  using Component = Texel;
  static constexpr int n = 1;
};
template <class Texel>
struct TexelTraits<Texel, false> {
  using Component = decltype(Texel::x);
  static constexpr int n = sizeof(Texel) / sizeof(Component);
};

template <class Texel>
RAFTER_SIMT_INLINE Texel texel_of(Words words) {
  using Component = typename TexelTraits<Texel>::Component;
  constexpr int n = TexelTraits<Texel>::n;
  static_assert(n != 3 && sizeof(Component) <= 4,
                "rafter: texels must have one, two or four components of at most 32 bits");
  if constexpr (std::is_arithmetic_v<Texel>)
    return component_of<Texel>(words[0]);
  else if constexpr (n == 1)
    return Texel{component_of<Component>(words[0])};
  else if constexpr (n == 2)
    return Texel{component_of<Component>(words[0]), component_of<Component>(words[1])};
  else
    return Texel{component_of<Component>(words[0]), component_of<Component>(words[1]),
                 component_of<Component>(words[2]), component_of<Component>(words[3])};
}

template <class Texel>
constexpr int fetch_of(TextureShape shape, FetchKind kind) {
  const bool is_float = std::is_floating_point_v<typename TexelTraits<Texel>::Component>;
  return static_cast<int>(shape) | static_cast<int>(kind) << 4 | (is_float ? fetch_wants_float : 0);
}

}  // namespace rafter_simt

// Defines each function in two forms, one that returns a texel and one that stores it: tex2D<float>(t, x, y) and
// tex2D(&value, t, x, y). The parameters' names are in parentheses.
#define RAFTER_SIMT_UNPACK(...) __VA_ARGS__
#define RAFTER_SIMT_TEXTURE(NAME, SHAPE, KIND, PARAMETERS, ARGUMENTS, CALL, ...)                                \
  template <class T>                                                                                            \
  RAFTER_SIMT_INLINE T NAME(cudaTextureObject_t texture, RAFTER_SIMT_UNPACK PARAMETERS) {                       \
    return rafter_simt::texel_of<T>(                                                                            \
        CALL(texture, rafter_simt::fetch_of<T>(rafter_simt::TextureShape::SHAPE, rafter_simt::FetchKind::KIND), \
             __VA_ARGS__));                                                                                     \
  }                                                                                                             \
  template <class T>                                                                                            \
  RAFTER_SIMT_INLINE void NAME(T* to, cudaTextureObject_t texture, RAFTER_SIMT_UNPACK PARAMETERS) {             \
    *to = NAME<T>(texture, RAFTER_SIMT_UNPACK ARGUMENTS);                                                       \
  }

// clang-format off
RAFTER_SIMT_TEXTURE(tex1Dfetch, linear, base, (int x), (x), rafter_simt_fetch, 0, 0, 0, x, 0)
RAFTER_SIMT_TEXTURE(tex1D, one, base, (float x), (x), rafter_simt_fetch, x, 0, 0, 0, 0)
RAFTER_SIMT_TEXTURE(tex2D, two, base, (float x, float y), (x, y), rafter_simt_fetch, x, y, 0, 0, 0)
RAFTER_SIMT_TEXTURE(tex3D, three, base, (float x, float y, float z), (x, y, z), rafter_simt_fetch, x, y, z, 0, 0)
RAFTER_SIMT_TEXTURE(tex1DLayered, one_layered, base, (float x, int layer), (x, layer), rafter_simt_fetch, x, 0, 0, layer, 0)
RAFTER_SIMT_TEXTURE(tex2DLayered, two_layered, base, (float x, float y, int layer), (x, y, layer), rafter_simt_fetch, x, y, 0, layer, 0)
RAFTER_SIMT_TEXTURE(texCubemap, cube, base, (float x, float y, float z), (x, y, z), rafter_simt_fetch, x, y, z, 0, 0)
RAFTER_SIMT_TEXTURE(texCubemapLayered, cube_layered, base, (float x, float y, float z, int layer), (x, y, z, layer), rafter_simt_fetch, x, y, z, layer, 0)

RAFTER_SIMT_TEXTURE(tex1DLod, one, level, (float x, float level), (x, level), rafter_simt_fetch, x, 0, 0, 0, level)
RAFTER_SIMT_TEXTURE(tex2DLod, two, level, (float x, float y, float level), (x, y, level), rafter_simt_fetch, x, y, 0, 0, level)
RAFTER_SIMT_TEXTURE(tex3DLod, three, level, (float x, float y, float z, float level), (x, y, z, level), rafter_simt_fetch, x, y, z, 0, level)
RAFTER_SIMT_TEXTURE(tex1DLayeredLod, one_layered, level, (float x, int layer, float level), (x, layer, level), rafter_simt_fetch, x, 0, 0, layer, level)
RAFTER_SIMT_TEXTURE(tex2DLayeredLod, two_layered, level, (float x, float y, int layer, float level), (x, y, layer, level), rafter_simt_fetch, x, y, 0, layer, level)
RAFTER_SIMT_TEXTURE(texCubemapLod, cube, level, (float x, float y, float z, float level), (x, y, z, level), rafter_simt_fetch, x, y, z, 0, level)
RAFTER_SIMT_TEXTURE(texCubemapLayeredLod, cube_layered, level, (float x, float y, float z, int layer, float level), (x, y, z, layer, level), rafter_simt_fetch, x, y, z, layer, level)

RAFTER_SIMT_TEXTURE(tex1DGrad, one, level, (float x, float dx, float dy), (x, dx, dy), rafter_simt_fetch_gradient, x, 0, 0, 0, dx, 0, 0, dy, 0, 0)
RAFTER_SIMT_TEXTURE(tex2DGrad, two, level, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy), rafter_simt_fetch_gradient, x, y, 0, 0, dx.x, dx.y, 0, dy.x, dy.y, 0)
RAFTER_SIMT_TEXTURE(tex3DGrad, three, level, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy), rafter_simt_fetch_gradient, x, y, z, 0, dx.x, dx.y, dx.z, dy.x, dy.y, dy.z)
RAFTER_SIMT_TEXTURE(tex1DLayeredGrad, one_layered, level, (float x, int layer, float dx, float dy), (x, layer, dx, dy), rafter_simt_fetch_gradient, x, 0, 0, layer, dx, 0, 0, dy, 0, 0)
RAFTER_SIMT_TEXTURE(tex2DLayeredGrad, two_layered, level, (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy), rafter_simt_fetch_gradient, x, y, 0, layer, dx.x, dx.y, 0, dy.x, dy.y, 0)
// clang-format on
#undef RAFTER_SIMT_TEXTURE

template <class T>
RAFTER_SIMT_INLINE T tex2Dgather(cudaTextureObject_t texture, float x, float y, int component = 0) {
  return rafter_simt::texel_of<T>(rafter_simt_fetch(
      texture, rafter_simt::fetch_of<T>(rafter_simt::TextureShape::two, rafter_simt::FetchKind::gather), x, y, 0,
      component, 0));
}
template <class T>
RAFTER_SIMT_INLINE void tex2Dgather(T* to, cudaTextureObject_t texture, float x, float y, int component = 0) {
  *to = tex2Dgather<T>(texture, x, y, component);
}

namespace rafter_simt {

template <class T>
constexpr int surface_access(TextureShape shape, cudaSurfaceBoundaryMode mode) {
  static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                "rafter: a surface access must have 1, 2, 4, 8 or 16 bytes");
  return static_cast<int>(shape) | static_cast<int>(mode) << 4 | static_cast<int>(sizeof(T)) << 8;
}

template <class T>
RAFTER_SIMT_INLINE T bytes_of(Words words) {
  if constexpr (sizeof(T) == 16) {
    return __builtin_bit_cast(T, words);
  } else if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(T, words[0] | static_cast<unsigned long long>(words[1]) << 32);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, static_cast<unsigned>(words[0]));
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(T, static_cast<unsigned short>(words[0]));
  } else {
    return __builtin_bit_cast(T, static_cast<unsigned char>(words[0]));
  }
}

template <class T>
RAFTER_SIMT_INLINE Words words_of(T value) {
  if constexpr (sizeof(T) == 16) {
    return __builtin_bit_cast(Words, value);
  } else if constexpr (sizeof(T) == 8) {
    const auto bits = __builtin_bit_cast(unsigned long long, value);
    return Words{static_cast<unsigned>(bits), static_cast<unsigned>(bits >> 32), 0, 0};
  } else if constexpr (sizeof(T) == 4) {
    return Words{__builtin_bit_cast(unsigned, value), 0, 0, 0};
  } else if constexpr (sizeof(T) == 2) {
    return Words{__builtin_bit_cast(unsigned short, value), 0, 0, 0};
  } else {
    return Words{__builtin_bit_cast(unsigned char, value), 0, 0, 0};
  }
}

}  // namespace rafter_simt

#define RAFTER_SIMT_SURFACE(NAME, SHAPE, PARAMETERS, ARGUMENTS, ...)                                           \
  template <class T>                                                                                           \
  RAFTER_SIMT_INLINE T NAME##read(cudaSurfaceObject_t surface, RAFTER_SIMT_UNPACK PARAMETERS,                  \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                       \
    return rafter_simt::bytes_of<T>(rafter_simt_surface_read(                                                  \
        surface, rafter_simt::surface_access<T>(rafter_simt::TextureShape::SHAPE, mode), __VA_ARGS__));        \
  }                                                                                                            \
  template <class T>                                                                                           \
  RAFTER_SIMT_INLINE void NAME##read(T* to, cudaSurfaceObject_t surface, RAFTER_SIMT_UNPACK PARAMETERS,        \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                    \
    *to = NAME##read<T>(surface, RAFTER_SIMT_UNPACK ARGUMENTS, mode);                                          \
  }                                                                                                            \
  template <class T>                                                                                           \
  RAFTER_SIMT_INLINE void NAME##write(T value, cudaSurfaceObject_t surface, RAFTER_SIMT_UNPACK PARAMETERS,     \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    rafter_simt_surface_write(surface, rafter_simt::surface_access<T>(rafter_simt::TextureShape::SHAPE, mode), \
                              __VA_ARGS__, rafter_simt::words_of(value));                                      \
  }

// x counts bytes, y rows, z slices, layers or faces.
RAFTER_SIMT_SURFACE(surf1D, one, (int x), (x), x, 0, 0)
RAFTER_SIMT_SURFACE(surf2D, two, (int x, int y), (x, y), x, y, 0)
RAFTER_SIMT_SURFACE(surf3D, three, (int x, int y, int z), (x, y, z), x, y, z)
RAFTER_SIMT_SURFACE(surf1DLayered, one_layered, (int x, int layer), (x, layer), x, 0, layer)
RAFTER_SIMT_SURFACE(surf2DLayered, two_layered, (int x, int y, int layer), (x, y, layer), x, y, layer)
RAFTER_SIMT_SURFACE(surfCubemap, cube, (int x, int y, int face), (x, y, face), x, y, face)
RAFTER_SIMT_SURFACE(surfCubemapLayered, cube_layered, (int x, int y, int layer_face), (x, y, layer_face), x, y,
                    layer_face)
#undef RAFTER_SIMT_SURFACE
#undef RAFTER_SIMT_UNPACK
