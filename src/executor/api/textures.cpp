// Creation, destruction and description of texture and surface objects.
#include <algorithm>

#include "executor/api/call.hpp"
#include "executor/api/memory/arrays.hpp"
#include "executor/api/memory/extents.hpp"
#include "executor/memory/memory.hpp"
#include "executor/textures/texture_objects.hpp"

using namespace rafter::simt;

namespace {

constexpr std::size_t address_alignment = 512, pitch_alignment = 32;  // as in cudaDeviceProp
constexpr std::size_t most_linear_texels = std::size_t{1} << 28;

/// Whether an address is device memory with the alignment of an allocation.
bool is_aligned_memory(const void* address) {
  const Allocation* const found = memory().find(address);
  if (found) return (static_cast<const std::byte*>(address) - found->base) % address_alignment == 0;
  return reach(address, 1, MemorySide::device) == Reach::fits;
}

cudaError_t describe_linear(const cudaResourceDesc& resource, Texture* texture) {
  const auto& linear = resource.res.linear;
  const auto format = format_of(linear.desc);
  if (!format || !is_aligned_memory(linear.devPtr)) return cudaErrorInvalidValue;
  const std::size_t n = linear.sizeInBytes / format->bytes();
  if (n == 0 || n > most_linear_texels) return cudaErrorInvalidValue;
  texture->shape = TextureShape::linear;
  texture->format = *format;
  texture->levels = {
      {static_cast<std::byte*>(linear.devPtr), static_cast<std::int64_t>(n), 1, 1, linear.sizeInBytes, 0}};
  return cudaSuccess;
}

cudaError_t describe_pitched(const cudaResourceDesc& resource, Texture* texture) {
  const auto& pitched = resource.res.pitch2D;
  const auto format = format_of(pitched.desc);
  if (!format || !is_aligned_memory(pitched.devPtr) || pitched.width == 0 || pitched.height == 0)
    return cudaErrorInvalidValue;
  if (pitched.pitchInBytes % pitch_alignment != 0 || pitched.width * format->bytes() > pitched.pitchInBytes)
    return cudaErrorInvalidValue;
  texture->shape = TextureShape::two;
  texture->format = *format;
  texture->levels = {{static_cast<std::byte*>(pitched.devPtr), static_cast<std::int64_t>(pitched.width),
                      static_cast<std::int64_t>(pitched.height), 1, pitched.pitchInBytes, 0}};
  return cudaSuccess;
}

cudaError_t describe_array(const cudaArray* array, Texture* texture) {
  if (array == nullptr || !array->live) return cudaErrorInvalidResourceHandle;
  texture->shape = array->shape;
  texture->format = array->format;
  texture->levels = {array->level};
  return cudaSuccess;
}

cudaError_t describe_mipmap(const cudaMipmappedArray* array, Texture* texture) {
  if (array == nullptr || !array->live) return cudaErrorInvalidResourceHandle;
  const cudaError_t error = describe_array(array->levels[0].get(), texture);
  texture->levels.clear();
  for (const auto& level : array->levels) texture->levels.push_back(level->level);
  return error;
}

cudaError_t describe(const cudaResourceDesc& resource, Texture* texture) {
  switch (resource.resType) {
    case cudaResourceTypeArray: return describe_array(arrays().find(resource.res.array.array), texture);
    case cudaResourceTypeMipmappedArray: return describe_mipmap(arrays().find(resource.res.mipmap.mipmap), texture);
    case cudaResourceTypeLinear: return describe_linear(resource, texture);
    case cudaResourceTypePitch2D: return describe_pitched(resource, texture);
  }
  return cudaErrorInvalidValue;
}

/// Checks that CUDA supports the filter settings for the texel format.
cudaError_t check_filter(const Texture& texture) {
  const cudaTextureDesc& how = texture.how;
  const bool is_linear = how.filterMode == cudaFilterModeLinear && texture.shape != TextureShape::linear;
  if (is_linear && !texture.gives_floats()) return cudaErrorInvalidFilterSetting;
  if (texture.is_integer() && texture.format.bits == 32 && how.readMode == cudaReadModeNormalizedFloat)
    return cudaErrorInvalidNormSetting;
  if (texture.levels.size() > 1 && how.normalizedCoords == 0) return cudaErrorInvalidValue;
  const bool is_cube = texture.shape == TextureShape::cube || texture.shape == TextureShape::cube_layered;
  if (is_cube && how.normalizedCoords == 0) return cudaErrorInvalidValue;
  if (is_cube && how.seamlessCubemap != 0 && is_linear)
    rafter_simt_unsupported("cudaCreateTextureObject: seamlessCubemap with linear filtering");
  return cudaSuccess;
}

cudaError_t create_texture(cudaTextureObject_t* to, const cudaResourceDesc* resource, const cudaTextureDesc* how,
                           const void* site) {
  if (to == nullptr || resource == nullptr || how == nullptr) return cudaErrorInvalidValue;
  auto object = std::make_unique<TextureObject>();
  object->kind = TextureObject::Kind::texture;
  object->resource = *resource;
  object->made_at = site;
  object->texture.how = *how;
  cudaError_t error = describe(*resource, &object->texture);
  if (error == cudaSuccess) error = check_filter(object->texture);
  return error == cudaSuccess ? store_result(to, texture_objects().add(std::move(object))) : error;
}

cudaError_t create_surface(cudaSurfaceObject_t* to, const cudaResourceDesc* resource, const void* site) {
  if (to == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
  const cudaArray* const array = arrays().find(resource->res.array.array);
  auto object = std::make_unique<TextureObject>();
  object->kind = TextureObject::Kind::surface;
  object->resource = *resource;
  object->made_at = site;
  const cudaError_t error = describe_array(array, &object->texture);
  object->may_be_surface = error == cudaSuccess && (array->flags & cudaArraySurfaceLoadStore) != 0;
  return error == cudaSuccess ? store_result(to, texture_objects().add(std::move(object))) : error;
}

/// Returns the object of a handle unless it was destroyed; else null.
TextureObject* live_object(unsigned long long number, TextureObject::Kind kind) {
  TextureObject* const object = texture_objects().find(number);
  return object && object->kind == kind && object->destroyed_at == nullptr ? object : nullptr;
}

/// Destroys an object. Accepts any handle, as CUDA 13 on an H200 does.
cudaError_t destroy(unsigned long long number, TextureObject::Kind kind, const void* site) {
  if (TextureObject* const object = live_object(number, kind)) object->destroyed_at = site;
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    if (view != nullptr) rafter_simt_unsupported("cudaCreateTextureObject with a cudaResourceViewDesc");
    return create_texture(texture, resource, description, site);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return destroy(texture, TextureObject::Kind::texture, site); });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture) {
  return call([&] {
    const TextureObject* const object = live_object(texture, TextureObject::Kind::texture);
    return object ? store_result(resource, object->resource) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture) {
  return call([&] {
    const TextureObject* const object = live_object(texture, TextureObject::Kind::texture);
    return object ? store_result(description, object->texture.how) : cudaErrorInvalidValue;
  });
}

// No texture object has a resource view.
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc*, cudaTextureObject_t) {
  return call([&] { return cudaErrorInvalidValue; });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return create_surface(surface, resource, site); });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return destroy(surface, TextureObject::Kind::surface, site); });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface) {
  return call([&] {
    const TextureObject* const object = live_object(surface, TextureObject::Kind::surface);
    return object ? store_result(resource, object->resource) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* width, const cudaChannelFormatDesc* format, int device) {
  return call([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    if (format == nullptr || !format_of(*format)) return cudaErrorInvalidChannelDescriptor;
    return store_result(width, most_linear_texels);
  });
}
