// Where a journal is.
#pragma once

#include <filesystem>
#include <optional>

namespace rafter::journal {

/// The folder that entries are in, beside the work they are about.
inline constexpr const char* folder_name = "rafter-journal";

/// The journal of this folder or of the nearest one around it; also of a journal's own folder. A look at each, no more.
std::optional<std::filesystem::path> find_journal(const std::filesystem::path& from);

}  // namespace rafter::journal
