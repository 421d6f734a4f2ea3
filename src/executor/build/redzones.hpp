// Adds padding after every thread-local object of an assembly text, so that an access past the object's end hits no
// other object, and aligns the object for wide loads.
#pragma once

#include <string>
#include <string_view>

namespace rafter::simt::build {

/// Adds a directive for 64 more bytes after the data of each object in a section for thread-local or device data, in
/// g++'s output format; the object's size does not change. Sections whose objects are addressed relative to a common
/// anchor are left alone. Adds a directive before each thread-local object that aligns it to 16 bytes: GPUs align
/// shared arrays that way and programs rely on it. (With an attribute in the source, g++ would lower the alignment of
/// types that need more.)
std::string add_redzones(std::string_view assembly);

}  // namespace rafter::simt::build
