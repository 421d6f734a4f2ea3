// What is wrong with a kernel's use of a texture or surface object; found by the running thread.
#pragma once

#include "executor/textures/texture_objects.hpp"

namespace rafter::simt {

/// The object, and findings on one that was destroyed, has another shape than the function is for, or is no surface
/// though it is used as one; nullptr, and a finding, where there is none of that number and kind. A GPU gives zeros.
const TextureObject* find_object(unsigned long long number, TextureObject::Kind kind, TextureShape shape,
                                 const void* place);
/// The kernel takes floats for integers, or integers for floats.
void report_other_texels(const Texture& texture, const void* place);
/// Of tex1Dfetch, which gives zeros there; nobody promises it.
void note_past_linear(const Texture& texture, int index, const void* place);
/// Of a surface whose accesses are to trap there. Ends the launch.
[[noreturn]] void report_past_surface(const Level& level, const char* action, std::uint32_t bytes,
                                      const std::array<int, 3>& at, const void* place);

}  // namespace rafter::simt
