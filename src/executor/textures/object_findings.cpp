#include "executor/textures/object_findings.hpp"

#include <string>

#include "executor/engine/current_thread.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/memory/memory.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {
namespace {

const char* name(TextureObject::Kind kind) {
  return kind == TextureObject::Kind::texture ? "texture object" : "surface object";
}

const char* name(TextureShape shape) {
  switch (shape) {
    case TextureShape::linear: return "linear memory";
    case TextureShape::one: return "one dimension";
    case TextureShape::two: return "two dimensions";
    case TextureShape::three: return "three dimensions";
    case TextureShape::one_layered: return "layers of one dimension";
    case TextureShape::two_layered: return "layers of two dimensions";
    case TextureShape::cube: return "the faces of a cube";
    case TextureShape::cube_layered: return "layers of cubes";
  }
  return "?";
}

const char* action_of(TextureObject::Kind kind) {
  return kind == TextureObject::Kind::texture ? "fetches" : "accesses a surface";
}

void report(const char* action, const void* place, std::string detail) {
  findings().add({Kind::bad_texture,
                  Space::none,
                  current_kernel(),
                  {current_side(action, place)},
                  std::nullopt,
                  std::move(detail)});
  this_worker()->abort_speculation();
}

/// Whether an object of shape `made` can be used as `used`. Surface functions access the faces of cubes as layers.
bool fits(TextureShape made, TextureShape used, TextureObject::Kind kind) {
  if (made == used) return true;
  const bool is_surface = kind == TextureObject::Kind::surface;
  const bool was_cube = made == TextureShape::cube || made == TextureShape::cube_layered;
  return is_surface && was_cube && used == TextureShape::two_layered;
}

}  // namespace

const TextureObject* find_object(unsigned long long number, TextureObject::Kind kind, TextureShape shape,
                                 const void* place) {
  const TextureObject* const object = texture_objects().find(number);
  const bool is_known = object && object->kind == kind;
  if (!observing()) return is_known ? object : nullptr;
  const auto say = [&](std::string detail) { report(action_of(kind), place, std::move(detail)); };
  if (!is_known) {
    say(object ? std::string("the object is a ") + name(object->kind) + "; a " + name(kind) + " is required"
               : std::string("no ") + name(kind) + " with this handle was ever created");
    return nullptr;
  }
  if (const void* const destroyed_at = object->destroyed_at.load(std::memory_order_relaxed)) {
    Finding finding{
        Kind::bad_texture, Space::none,
        current_kernel(),  {current_side(action_of(kind), place), {"destroyed the object", destroyed_at, 0, {}, {}}},
        std::nullopt,      std::string("the ") + name(kind) + " had been destroyed"};
    findings().add(std::move(finding));
    this_worker()->abort_speculation();
  } else if (!fits(object->texture.shape, shape, kind)) {
    say(std::string("the function is for ") + name(shape) + ", the object has " + name(object->texture.shape));
  } else if (kind == TextureObject::Kind::surface && !object->may_be_surface) {
    say("the array was made without cudaArraySurfaceLoadStore");
  }
  return object;
}

void report_other_texels(const Texture& texture, const void* place) {
  report("fetches", place,
         texture.gives_floats() ? "the texture returns floats, the kernel reads integers"
                                : "the texture returns integers, the kernel reads floats");
}

void note_past_linear(const Texture& texture, int index, const void* place) {
  if (!observing()) return;
  const Level& level = texture.levels[0];
  const auto bytes = static_cast<std::uint64_t>(level.width) * texture.format.bytes();
  Finding finding{.kind = Kind::out_of_bounds,
                  .space = Space::global,
                  .kernel = current_kernel(),
                  .sides = {current_side("fetches", place)},
                  .target = std::nullopt,
                  .detail = "texel " + std::to_string(index) + " of a texture of " + std::to_string(level.width) +
                            " (" + std::to_string(bytes) +
                            " bytes); GPUs return 0 there, but CUDA does not guarantee it",
                  .is_note = !options().strict};
  findings().add(std::move(finding));
  this_worker()->abort_speculation();
}

void report_past_surface(const Level& level, const char* action, std::uint32_t bytes, const std::array<int, 3>& at,
                         const void* place) {
  Side side = current_side(action, place);
  side.bytes = bytes;
  std::string detail = "byte " + std::to_string(at[0]) + " of row " + std::to_string(at[1]);
  const bool has_slices = level.depth > 1 || at[2] != 0;
  if (has_slices) detail += " of slice or layer " + std::to_string(at[2]);
  detail += "; the surface has " + std::to_string(level.height) + " rows of " + std::to_string(level.pitch) + " bytes";
  if (has_slices) detail += ", " + std::to_string(level.depth) + " times";
  findings().add({Kind::out_of_bounds, Space::global, current_kernel(), {side}, std::nullopt, std::move(detail)});
  this_worker()->abort_speculation();
  this_worker()->abandon(illegal_address);
}

}  // namespace rafter::simt
