// The rooms of the source tree, and which of them each may include.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::architecture {

struct Room {
  std::string_view folder;
  std::vector<std::string_view> may_include;  ///< other rooms, all of them further up in the table
};

/// From the ground up; docs/architecture.md draws it.
const std::vector<Room>& rooms();

/// The room a file lies in; null when it is in none.
const Room* room_of(std::string_view file);

/// What is wrong with an include of a file (both relative to the tree and as written); nothing when it may stay. Only
/// includes with a folder in their name are looked at: others are a file's own neighbours, or of other projects.
std::optional<std::string> complaint(const std::filesystem::path& tree, std::string_view file,
                                     std::string_view included);

/// All complaints of a tree.
std::vector<std::string> complaints(const std::filesystem::path& tree);

}  // namespace rafter::architecture
