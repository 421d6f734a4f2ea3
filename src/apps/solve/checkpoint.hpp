// Checkpoints: everything needed to resume a run, i.e. its description as JSON and its field.
//
// Layout: the mark "RAFTERCP", the length of the JSON text (64 bits, little endian), a checksum of text and field
// (likewise), the text padded with spaces to a multiple of 64 bytes, the values of the field.
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

/// Whether the previous checkpoint of the same run is kept, in case the new one is damaged later.
enum class OlderCheckpoint { kept, dropped };

/// Returns the name of the previous checkpoint: FILE.previous.
std::filesystem::path previous_checkpoint(const std::filesystem::path& path);

/// Returns FILE for FILE.previous, and any other name unchanged.
std::filesystem::path current_checkpoint(const std::filesystem::path& path);

/// Writes a checkpoint atomically. Throws Error (io) and keeps the old ones on failure. `about` receives the field's
/// shape and dtype.
template <class T>
void write_checkpoint(const std::filesystem::path& path, nlohmann::json about, const GridShape& shape,
                      std::span<const T> values, OlderCheckpoint older = OlderCheckpoint::kept);

/// Reads a checkpoint. Throws Error (io) when the file cannot be read, is not a checkpoint or is damaged; the message
/// names the previous checkpoint if it exists.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace rafter::solve
