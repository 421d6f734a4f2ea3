// Line-by-line differences between two texts.
#pragma once

#include <string>
#include <string_view>

namespace rafter::journal {

/// Returns a unified diff like `diff -u`, with three lines of context and these names as header; "" if nothing changed.
std::string unified_diff(std::string_view before, std::string_view after, const std::string& name_before,
                         const std::string& name_after);

/// The numbers of lines that a diff adds and removes.
struct ChangedLines {
  int n_added = 0;
  int n_removed = 0;
};
ChangedLines changed_lines(const std::string& diff);

}  // namespace rafter::journal
