// A file with all that is needed to go on: what the run is, as JSON, and its field.
//
// Layout: the mark "RAFTERCP", the length of the JSON text (64 bits, little endian), a checksum of text and field
// (likewise), the text with spaces to a multiple of 64 bytes, the field's values.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "apps/solve/field.hpp"

namespace rafter::solve {

struct Checkpoint {
  nlohmann::json about;
  Field field;
};

/// What becomes of the checkpoint that a new one replaces: should the new one be damaged, later, there is one to go on
/// from. But not from another run's.
enum class OlderCheckpoint { kept, dropped };

/// Where it is kept: FILE.previous.
std::filesystem::path previous_checkpoint(const std::filesystem::path& path);

/// The file whose older version this is: FILE of FILE.previous, and any other itself.
std::filesystem::path current_checkpoint(const std::filesystem::path& path);

/// Replaces what was there once the new one is whole and on the disk. Throws Error (io); the old ones then stay.
/// `about` gets the field's shape and dtype.
template <class T>
void write_checkpoint(const std::filesystem::path& path, nlohmann::json about, const GridShape& shape,
                      std::span<const T> values, OlderCheckpoint older = OlderCheckpoint::kept);

/// Throws Error (io) for a file that cannot be read, is no checkpoint or is damaged, and says which; and which older
/// one there is.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace rafter::solve
