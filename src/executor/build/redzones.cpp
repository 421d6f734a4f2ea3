#include "executor/build/redzones.hpp"

#include "executor/build/sides/assembly_lines.hpp"

namespace rafter::simt::build {

namespace {

constexpr std::string_view redzone = "\t.zero\t64\n";
constexpr std::string_view alignment = "\t.balign\t16\n";

/// The kind of section that a line switches to, if any. Objects in shared and device sections get padding: shared
/// memory and variables in device memory.
enum class Section { same, other, shared, device };
Section section_of(std::string_view line) {
  if (!is_section(first_word(line))) return Section::same;
  const std::string_view name = section_name(line);
  const bool device = name == "rafter_device" || name == "rafter_constant" || name == "rafter_managed";
  const bool local = name == ".tbss" || name == ".tdata" || name.starts_with(".tbss.") || name.starts_with(".tdata.") ||
                     name.starts_with(".gnu.linkonce.tb.") || name.starts_with(".gnu.linkonce.td.");
  return local ? Section::shared : device ? Section::device : Section::other;
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
    const std::string_view line = take_line(assembly);
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
