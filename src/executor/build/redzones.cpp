#include "executor/build/redzones.hpp"

#include <algorithm>
#include <array>

namespace rafter::simt::build {

namespace {

constexpr std::string_view redzone = "\t.zero\t64\n";
constexpr std::string_view alignment = "\t.balign\t16\n";

/// The first word of a line.
std::string_view first_word(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.substr(0, line.find_first_of(" \t,\r\n"));
}

bool is_data(std::string_view word) {
  constexpr std::array<std::string_view, 23> directives{".zero",  ".skip",  ".space",  ".byte",   ".2byte", ".4byte",
                                                        ".8byte", ".short", ".hword",  ".value",  ".word",  ".long",
                                                        ".int",   ".xword", ".quad",   ".octa",   ".ascii", ".string",
                                                        ".asciz", ".float", ".single", ".double", ".dword"};
  return std::find(directives.begin(), directives.end(), word) != directives.end();
}

/// The kind of section that a line switches to, if any. Objects in shared and device sections get padding: shared
/// memory and variables in device memory.
enum class Section { same, other, shared, device };
Section section_of(std::string_view line) {
  const std::string_view word = first_word(line);
  if (word == ".text" || word == ".data" || word == ".bss" || word == ".previous" || word == ".popsection")
    return Section::other;
  if (word != ".section" && word != ".pushsection") return Section::same;
  std::string_view name = line.substr(line.find(word) + word.size());
  name.remove_prefix(std::min(name.find_first_not_of(" \t\""), name.size()));
  name = name.substr(0, name.find_first_of("\", \t\n"));
  const bool device = name == "rafter_device" || name == "rafter_constant" || name == "rafter_managed";
  const bool local = name == ".tbss" || name == ".tdata" || name.starts_with(".tbss.") || name.starts_with(".tdata.") ||
                     name.starts_with(".gnu.linkonce.tb.") || name.starts_with(".gnu.linkonce.td.");
  return local ? Section::shared : device ? Section::device : Section::other;
}

bool is_label(std::string_view line) {
  return !line.empty() && line.front() != '\t' && line.front() != ' ' && line.front() != '#' &&
         line.find_last_not_of(" \t\r\n") != std::string_view::npos && line[line.find_last_not_of(" \t\r\n")] == ':';
}

}  // namespace

std::string add_redzones(std::string_view assembly) {
  std::string result;
  result.reserve(assembly.size() + assembly.size() / 16);
  Section current = Section::other;
  bool in_object = false, anchored = false;
  const auto end_object = [&] {
    if (in_object && !anchored) (result += result.ends_with('\n') ? "" : "\n") += redzone;
    in_object = false;
  };
  while (!assembly.empty()) {
    const std::size_t length = std::min(assembly.find('\n'), assembly.size() - 1) + 1;
    const std::string_view line = assembly.substr(0, length);
    assembly.remove_prefix(length);
    const std::string_view word = first_word(line);
    const Section section = section_of(line);
    const bool continues = is_data(word) || word.empty() || word.starts_with("//") || word.starts_with("#");
    if (in_object && !continues) end_object();
    if (section != Section::same) {
      current = section;
      anchored = false;
    } else if (current != Section::other) {
      if (line.find(".LANCHOR") != std::string_view::npos) anchored = true;
      if (is_label(line)) {
        if (current == Section::shared && !anchored) result += alignment;
        in_object = true;
      }
    }
    result += line;
  }
  end_object();
  return result;
}

}  // namespace rafter::simt::build
