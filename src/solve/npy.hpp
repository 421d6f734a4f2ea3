// NumPy's .npy files of fields: three axes, float32 or float64, C order, little endian.
#pragma once

#include <filesystem>
#include <span>

#include "solve/field.hpp"

namespace rafter::solve {

/// Versions 1 to 3. Throws Error (io) for what cannot be read and (bad_argument) for what is no such field, with what
/// was expected.
Field read_npy(const std::filesystem::path& path);

/// Version 1.0; whole or not there. Throws Error (io).
template <class T>
void write_npy(const std::filesystem::path& path, const GridShape& shape, std::span<const T> values);

/// Where the values begin in what write_npy() writes.
inline constexpr std::int64_t npy_header_bytes = 128;

}  // namespace rafter::solve
