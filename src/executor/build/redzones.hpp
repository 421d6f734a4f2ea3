// Room after every thread-local object of an assembly text, so that running past its end meets nothing, and a place for
// it where wide loads can begin.
#pragma once

#include <string>
#include <string_view>

namespace rafter::simt::build {

/// After the data of each object in a section for thread-local or device data, as g++ writes it, comes a directive for
/// 64 more bytes; the object's size stays. Sections whose objects the code reaches from a common anchor are left alone.
/// Before a thread-local object comes a directive for a multiple of 16 bytes: GPUs put shared arrays there, and
/// programs count on it. (An attribute would do it in the source, but g++ takes one for less where the type asks for
/// more.)
std::string add_redzones(std::string_view assembly);

}  // namespace rafter::simt::build
