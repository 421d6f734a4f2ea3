// Fields in NumPy's .npy files: three axes, or two for a flat grid, float32 or float64.
#pragma once

#include <filesystem>

#include "apps/solve/field.hpp"

namespace rafter::solve {

/// Reads a field. Throws Error (io) when it cannot be read, and (bad_argument) with what was expected for an invalid
/// field.
Field read_npy(const std::filesystem::path& path);

}  // namespace rafter::solve
