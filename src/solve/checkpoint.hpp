// A file with all that is needed to go on: what the run is, as JSON, and its field.
//
// Layout: the mark "RAFTERCP", the length of the JSON text (64 bits, little endian), a checksum of text and field
// (likewise), the text with spaces to a multiple of 64 bytes, the field's values.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "solve/field.hpp"

namespace rafter::solve {

struct Checkpoint {
  nlohmann::json about;
  Field field;
};

/// Replaces what was there once the new one is whole and on the disk. Throws Error (io); the old one then stays.
/// `about` gets the field's shape and dtype.
template <class T>
void write_checkpoint(const std::filesystem::path& path, nlohmann::json about, const GridShape& shape,
                      std::span<const T> values);

/// Throws Error (io) for a file that cannot be read, is no checkpoint or is damaged, and says which.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace rafter::solve
