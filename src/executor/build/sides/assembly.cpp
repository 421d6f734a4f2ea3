#include "executor/build/sides/assembly.hpp"

#include <fmt/format.h>

#include "executor/build/rewrite/rewriter.hpp"
#include "executor/build/sides/assembly_lines.hpp"
#include "executor/build/sides/plan.hpp"
#include "executor/build/sides/symbols.hpp"

namespace rafter::simt::build {

namespace {

/// Returns a weak definition of the device's version of another source's function, which calls the only version if that
/// source is compiled once.
std::string import_of(std::string_view name) {
#if defined(__aarch64__)
  const std::string jump = fmt::format("\tb\t{}\n", name);
#else
  const std::string jump = fmt::format("\tjmp\t{}@PLT\n", name);
#endif
  return fmt::format(
      "\t.text\n\t.weak\t{0}{1}\n\t.hidden\t{0}{1}\n\t.type\t{0}{1}, %function\n{0}{1}:\n{2}\t.size\t{0}{1}, "
      ".-{0}{1}\n",
      name, device_suffix, jump);
}

/// Writes one side's assembly as planned.
class Editor {
 public:
  Editor(const Symbols& symbols, const SidePlan& plan, Side side) : symbols_(symbols), plan_(plan), side_(side) {}

  std::string edit(std::string_view assembly) {
    result_.reserve(assembly.size() + assembly.size() / 64);
    while (!assembly.empty()) line(take_line(assembly));
    if (!plan_.missing.empty()) result_ += "\t.text\n";
    for (std::string_view name : plan_.missing) result_ += fmt::format("{}:\n", name);
    return std::move(result_);
  }

 private:
  void line(std::string_view line) {
    const std::string_view word = first_word(line);
    if (is_section(word)) {
      in_marks_ = section_name(line) == mark_section;
      in_initialisers_ = side_ == Side::device && is_initialisers(section_name(line));
      in_dropped_ = false;
      if (!in_marks_) section(line);
    } else if (in_marks_ || ((in_initialisers_ || in_dropped_) && is_data(word))) {
      return;
    } else if (is_label(line)) {
      label(line, word.substr(0, word.size() - 1));
    } else {
      in_dropped_ = false;
      is_of_symbol(word) ? directive(line, word) : append(line);
    }
  }

  static bool is_of_symbol(std::string_view word) {
    return word == ".globl" || word == ".global" || word == ".weak" || word == ".hidden" || word == ".protected" ||
           word == ".internal" || word == ".local" || word == ".comm" || word == ".type" || word == ".size" ||
           word == ".set";
  }

  static bool is_visibility(std::string_view word) {
    return word != ".type" && word != ".size" && word != ".set" && word != ".comm" && word != ".local";
  }

  /// Copies the line, with suffixes added.
  void append(std::string_view line) {
    std::size_t done = 0;
    if (!plan_.suffixes.empty()) {
      for_operands(line, [&](std::string_view name, std::size_t at) {
        const auto found = plan_.suffixes.find(name);
        if (found == plan_.suffixes.end()) return;
        (result_ += line.substr(done, at + name.size() - done)) += found->second;
        done = at + name.size();
      });
    }
    result_ += line.substr(done);
  }

  void label(std::string_view line, std::string_view name) {
    in_dropped_ = false;
    switch (plan_.fate_of(name)) {
      case Fate::drop: in_dropped_ = true; return;
      case Fate::bury: result_ += fmt::format("{}{}:\n", name, buried); return;
      case Fate::keep:
      case Fate::localise: break;
    }
    if (!plan_.defines_shared.contains(name)) {
      result_ += line;
    } else {
      result_ += fmt::format("{}{}{}:\n", global(name), name, shared_suffix);
    }
  }

  /// Makes a shared symbol visible to the other side.
  static std::string global(std::string_view name) {
    return fmt::format("\t.globl\t{0}{1}\n\t.hidden\t{0}{1}\n", name, shared_suffix);
  }

  void directive(std::string_view line, std::string_view word) {
    std::string_view name;
    std::size_t at = 0;
    for_operands(line, [&](std::string_view found, std::size_t place) {
      if (name.empty()) name = found, at = place;
    });
    const auto symbol = symbols_.find(name);
    const bool is_defined = symbol != symbols_.end() && symbol->second.is_defined;
    const Fate fate = is_defined ? plan_.fate_of(name) : Fate::keep;
    if (fate == Fate::drop || (fate != Fate::keep && is_visibility(word))) return;
    if (fate == Fate::bury && word == ".set") return;
    if (word == ".set" && plan_.defines_shared.contains(name)) result_ += global(name);
    if (fate == Fate::bury) {
      std::string text(line);
      text.insert(at + name.size(), buried);
      if (word == ".size") text = fmt::format("\t.size\t{0}{1}, .-{0}{1}\n", name, buried);
      result_ += text;
      return;
    }
    constexpr std::string_view unique = "gnu_unique_object";
    if (const std::size_t place = line.find(unique); fate == Fate::localise && place != std::string_view::npos) {
      std::string text(line);
      result_ += text.replace(place, unique.size(), "object");
      return;
    }
    append(line);
  }

  /// Takes a section out of its group unless the group's symbol stays as it is: the linker would otherwise keep only
  /// one side's group.
  void section(std::string_view line) {
    const std::size_t end = line.find(",comdat"),
                      begin = end == std::string_view::npos ? end : line.rfind(',', end - 1);
    if (begin == std::string_view::npos) return append(line);
    const std::string_view group = line.substr(begin + 1, end - begin - 1);
    if (keeps_group(group)) return append(line);
    std::string text(line);
    text.erase(begin, end + std::string_view(",comdat").size() - begin);
    const std::size_t flags = text.find('"'), close = text.find('"', flags + 1), mark = text.find('G', flags);
    if (mark < close) text.erase(mark, 1);
    result_ += text;
  }

  bool keeps_group(std::string_view group) const {
    if (side_ == Side::host) return plan_.fate_of(group) == Fate::keep;
    const auto fate = plan_.fates.find(group);
    return fate != plan_.fates.end() && fate->second == Fate::keep;
  }

  static constexpr std::string_view buried = ".rafter_unused";

  const Symbols& symbols_;
  const SidePlan& plan_;
  const Side side_;
  std::string result_;
  bool in_marks_ = false, in_initialisers_ = false, in_dropped_ = false;
};

}  // namespace

Sides combine_sides(std::string_view host, std::string_view device, const NamesOfSides& names) {
  const Symbols of_host = read_symbols(host), of_device = read_symbols(device);
  const Plan plan = make_plan(of_host, of_device, names);
  Sides result{Editor(of_host, plan.host, Side::host).edit(host),
               Editor(of_device, plan.device, Side::device).edit(device),
               {plan.shared.begin(), plan.shared.end()}};
  for (std::string_view name : plan.exported)
    result.device += fmt::format("\t.globl\t{0}{1}\n\t.hidden\t{0}{1}\n\t.set\t{0}{1}, {0}\n", name, device_suffix);
  for (std::string_view name : plan.imported) result.device += import_of(name);
  return result;
}

}  // namespace rafter::simt::build
