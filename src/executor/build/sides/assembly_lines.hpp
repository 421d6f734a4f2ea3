// Lines of the assembly that g++ writes.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace rafter::simt::build {

/// Removes the first line, with its line break, from `text` and returns it.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t length = text.empty() ? 0 : std::min(text.find('\n'), text.size() - 1) + 1;
  const std::string_view line = text.substr(0, length);
  text.remove_prefix(length);
  return line;
}

/// The first word of a line.
inline std::string_view first_word(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.substr(0, line.find_first_of(" \t,\r\n"));
}

/// Whether a directive defines the bytes of an object.
inline bool is_data(std::string_view word) {
  constexpr std::array<std::string_view, 23> directives{".zero",  ".skip",  ".space",  ".byte",   ".2byte", ".4byte",
                                                        ".8byte", ".short", ".hword",  ".value",  ".word",  ".long",
                                                        ".int",   ".xword", ".quad",   ".octa",   ".ascii", ".string",
                                                        ".asciz", ".float", ".single", ".double", ".dword"};
  return std::find(directives.begin(), directives.end(), word) != directives.end();
}

/// Whether a directive selects a section.
inline bool is_section(std::string_view word) {
  return word == ".section" || word == ".text" || word == ".data" || word == ".bss" || word == ".pushsection" ||
         word == ".popsection" || word == ".previous";
}

/// The name of the section that a line selects, which must be one of those.
inline std::string_view section_name(std::string_view line) {
  const std::string_view word = first_word(line);
  if (word != ".section" && word != ".pushsection") return word;
  std::string_view name = line.substr(line.find(word) + word.size());
  name.remove_prefix(std::min(name.find_first_not_of(" \t\""), name.size()));
  return name.substr(0, name.find_first_of("\", \t\n"));
}

inline bool is_label(std::string_view line) {
  return !line.empty() && line.front() != '\t' && line.front() != ' ' && line.front() != '#' &&
         line.find_last_not_of(" \t\r\n") != std::string_view::npos && line[line.find_last_not_of(" \t\r\n")] == ':';
}

}  // namespace rafter::simt::build
