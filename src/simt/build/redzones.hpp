// Room after every thread-local object of an assembly text, so that running past its end meets nothing.
#pragma once

#include <string>
#include <string_view>

namespace rafter::simt::build {

/// After the data of each object in a section for thread-local data, as g++ writes it, comes a directive for 64 more
/// bytes; the object's size stays. Sections whose objects the code reaches from a common anchor are left alone.
std::string add_redzones(std::string_view assembly);

}  // namespace rafter::simt::build
