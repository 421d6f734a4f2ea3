#include "executor/report/source_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/process.hpp"

namespace rafter::simt::report {
namespace {

using nlohmann::json;

struct Line {
  std::string file;
  int number = 0;
  bool in_library = false;  // inlined into NVIDIA's headers, or part of them
};

class Texts {
 public:
  std::string line(const Line& at) {
    auto [file, is_new] = files_.try_emplace(at.file);
    if (is_new) {
      std::ifstream input(at.file);
      for (std::string text; std::getline(input, text);) file->second.push_back(text);
    }
    const auto index = static_cast<std::size_t>(at.number) - 1;
    return index < file->second.size() ? file->second[index] : "";
  }

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

bool is_place(const json& value) { return value.is_object() && value.contains("module") && value.contains("offset"); }

template <class F>
void for_places(json& value, F&& f) {
  if (is_place(value)) {
    f(value);
  } else if (value.is_structured()) {
    for (auto& child : value) for_places(child, f);
  }
}

// Wrappers of PTX stand for the lines that call them, as CUDA's own headers do.
bool is_own(const std::string& file, const std::string& own_headers) {
  return file.starts_with(own_headers) || file.find("/src/library/ptx/") != std::string::npos ||
         file.find("/c++/") != std::string::npos || file.find("/bits/") != std::string::npos || file == "??";
}

// Whether a function, as addr2line names it, copies or moves an object of its own class: "X::X(X const&)",
// "X::operator=(X&&)".
bool is_copy_of_class(std::string_view function) {
  const std::size_t open = function.rfind('(');
  if (open == std::string_view::npos) return false;
  std::string_view type = function.substr(open + 1);
  for (std::string_view end : {" const&)", "&&)"}) {
    if (!type.ends_with(end)) continue;
    type.remove_suffix(end.size());
    return function.starts_with(type) && function.substr(type.size()).starts_with("::");
  }
  return false;
}

bool is_library(const std::string& file) {
  for (const char* folder : {"/include/thrust/", "/include/cub/", "/cccl/"}) {
    if (file.find(folder) != std::string::npos) return true;
  }
  return false;
}

// What the compiler wrote itself has the line of its class, or of "= default": the line that calls it says more.
bool is_implicit(std::string_view function, const std::string& text) {
  constexpr std::array<std::string_view, 4> signs{"struct", "class", "union", "default"};
  return is_copy_of_class(function) && std::any_of(signs.begin(), signs.end(), [&](std::string_view sign) {
           return text.find(sign) != std::string::npos;
         });
}

// addr2line -a -i -f prints the address, then the name and the line of every function that was inlined there, innermost
// first.
std::map<std::uint64_t, Line> look_up(const std::string& module, const std::vector<std::uint64_t>& offsets,
                                      const std::string& own_headers, Texts& texts) {
  std::map<std::uint64_t, Line> found;
  constexpr std::size_t at_once = 2000;
  for (std::size_t first = 0; first < offsets.size(); first += at_once) {
    base::Command command{"addr2line", "-a", "-i", "-f", "-C", "-e", module};
    for (std::size_t i = first; i < std::min(offsets.size(), first + at_once); ++i) {
      command.push_back(fmt::format("{:#x}", offsets[i]));
    }
    std::istringstream output(base::run(command).output);
    std::uint64_t address = 0;
    for (std::string function, text; std::getline(output, function);) {
      if (function.starts_with("0x")) {
        address = std::stoull(function, nullptr, 16);
        continue;
      }
      if (!std::getline(output, text)) break;
      const std::size_t colon = text.rfind(':');
      if (colon == std::string::npos) continue;
      std::error_code error;
      Line line{text.substr(0, colon), std::atoi(text.c_str() + colon + 1)};
      if (line.file.starts_with("/")) line.file = std::filesystem::weakly_canonical(line.file, error).string();
      if (line.number == 0 || is_own(line.file, own_headers) || is_implicit(function, texts.line(line))) continue;
      const bool in_library = is_library(line.file);
      Line& innermost = found.try_emplace(address, line).first->second;  // the first one stays
      innermost.in_library = innermost.in_library || in_library;
    }
  }
  return found;
}

}  // namespace

std::string short_name(const std::string& file) {
  std::error_code error;
  const auto relative = std::filesystem::relative(file, std::filesystem::current_path(error), error);
  return error || relative.empty() || relative.string().starts_with("..") ? file : relative.string();
}

void resolve_places(json& report, const std::string& own_headers) {
  std::map<std::string, std::vector<std::uint64_t>> offsets;
  for_places(report, [&](json& place) { offsets[place["module"]].push_back(place["offset"].get<std::uint64_t>()); });
  std::map<std::string, std::map<std::uint64_t, Line>> lines;
  Texts texts;
  for (const auto& [module, all] : offsets) lines[module] = look_up(module, all, own_headers, texts);
  for_places(report, [&](json& place) {
    const auto& known = lines[place["module"]];
    const auto at = known.find(place["offset"].get<std::uint64_t>());
    if (at == known.end()) return;
    const bool in_library = at->second.in_library;
    place = {{"file", short_name(at->second.file)}, {"line", at->second.number}, {"text", texts.line(at->second)}};
    if (in_library) place["in_library"] = true;
  });
}

}  // namespace rafter::simt::report
