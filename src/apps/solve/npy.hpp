// Fields in NumPy's .npy files: three axes, or two for a flat grid, float32 or float64.
#pragma once

#include <filesystem>

#include "apps/solve/field.hpp"

namespace rafter::solve {

/// Throws Error (io) for what cannot be read and (bad_argument) for what is no such field, with what was expected.
Field read_npy(const std::filesystem::path& path);

}  // namespace rafter::solve
