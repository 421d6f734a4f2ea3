// What changed in a text, line by line.
#pragma once

#include <string>
#include <string_view>

namespace rafter::journal {

/// As `diff -u` has it: three lines around each change, with these names in front. Empty where nothing changed.
std::string unified_diff(std::string_view before, std::string_view after, const std::string& name_before,
                         const std::string& name_after);

/// Lines that a diff adds and removes.
struct ChangedLines {
  int n_added = 0;
  int n_removed = 0;
};
ChangedLines changed_lines(const std::string& diff);

}  // namespace rafter::journal
