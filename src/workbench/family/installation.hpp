// Where this Rafter is, for builds against it.
#pragma once

#include <filesystem>

namespace rafter::family {

/// The folder of rafter-config.cmake: of the installed package, or of the build that this program is part of.
std::filesystem::path package_folder();

}  // namespace rafter::family
