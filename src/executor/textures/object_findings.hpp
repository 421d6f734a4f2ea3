// Findings about the running thread's use of texture and surface objects.
#pragma once

#include "executor/textures/texture_objects.hpp"

namespace rafter::simt {

/// Returns the object. Reports an object that was destroyed, that has another shape than the function is for, or has
/// an array that does not allow surface accesses. Reports a missing object and returns null; a GPU returns zeros then.
const TextureObject* find_object(unsigned long long number, TextureObject::Kind kind, TextureShape shape,
                                 const void* place);
/// Reports a fetch of floats from a texture of integers, or the other way round.
void report_other_texels(const Texture& texture, const void* place);
/// Reports a tex1Dfetch outside of the texture. GPUs return zeros there, which CUDA does not guarantee.
void note_past_linear(const Texture& texture, int index, const void* place);
/// Reports an access outside of a surface with the trap boundary mode, and ends the launch.
[[noreturn]] void report_past_surface(const Level& level, const char* action, std::uint32_t bytes,
                                      const std::array<int, 3>& at, const void* place);

}  // namespace rafter::simt
