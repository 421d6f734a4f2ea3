// The modules of the source tree, and which of them each may include.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::architecture {

struct Module {
  std::string_view folder;
  std::string_view purpose;                     ///< one line of docs/architecture.md
  std::vector<std::string_view> may_include{};  ///< other modules, all of them earlier in the table
};

/// All modules, each after the ones it depends on.
const std::vector<Module>& modules();

/// Returns the module that contains a file, or null when none does.
const Module* module_of(std::string_view file);

/// Explains why a file may not have an include line; returns nothing when it may. `file` is relative to the tree,
/// `included` is the text between the quotes. Only includes that name a folder are checked: an include without one is a
/// file of the same folder or another project's header.
std::optional<std::string> violation(const std::filesystem::path& tree, std::string_view file,
                                     std::string_view included);

/// Returns the violations in all sources of a tree.
std::vector<std::string> violations(const std::filesystem::path& tree);

/// Returns the table of modules as docs/architecture.md shows it.
std::string markdown_table();

}  // namespace rafter::architecture
