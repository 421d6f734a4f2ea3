#include "simt/report/source_lines.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "base/process.hpp"

namespace rafter::simt::report {
namespace {

using nlohmann::json;

struct Line {
  std::string file;
  int number = 0;
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
  return file.starts_with(own_headers) || file.find("/src/ptx/") != std::string::npos ||
         file.find("/c++/") != std::string::npos || file == "??";
}

// addr2line -a -i prints the address, then one line for every function that was inlined there, innermost first.
std::map<std::uint64_t, Line> look_up(const std::string& module, const std::vector<std::uint64_t>& offsets,
                                      const std::string& own_headers) {
  std::map<std::uint64_t, Line> found;
  constexpr std::size_t at_once = 2000;
  for (std::size_t first = 0; first < offsets.size(); first += at_once) {
    base::Command command{"addr2line", "-a", "-i", "-e", module};
    for (std::size_t i = first; i < std::min(offsets.size(), first + at_once); ++i) {
      command.push_back(fmt::format("{:#x}", offsets[i]));
    }
    std::istringstream output(base::run(command).output);
    std::uint64_t address = 0;
    for (std::string text; std::getline(output, text);) {
      if (text.starts_with("0x")) {
        address = std::stoull(text, nullptr, 16);
        continue;
      }
      const std::size_t colon = text.rfind(':');
      if (colon == std::string::npos) continue;
      std::error_code error;
      std::string file = text.substr(0, colon);
      if (file.starts_with("/")) file = std::filesystem::weakly_canonical(file, error).string();
      if (is_own(file, own_headers)) continue;
      found.try_emplace(address, Line{file, std::atoi(text.c_str() + colon + 1)});  // the first one stays
    }
  }
  return found;
}

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

// As a person in this folder would name it.
std::string short_name(const std::string& file) {
  std::error_code error;
  const auto relative = std::filesystem::relative(file, std::filesystem::current_path(error), error);
  return error || relative.empty() || relative.string().starts_with("..") ? file : relative.string();
}

}  // namespace

void resolve_places(json& report, const std::string& own_headers) {
  std::map<std::string, std::vector<std::uint64_t>> offsets;
  for_places(report, [&](json& place) { offsets[place["module"]].push_back(place["offset"].get<std::uint64_t>()); });
  std::map<std::string, std::map<std::uint64_t, Line>> lines;
  for (const auto& [module, all] : offsets) lines[module] = look_up(module, all, own_headers);
  Texts texts;
  for_places(report, [&](json& place) {
    const auto& known = lines[place["module"]];
    const auto at = known.find(place["offset"].get<std::uint64_t>());
    if (at == known.end()) return;
    place = {{"file", short_name(at->second.file)}, {"line", at->second.number}, {"text", texts.line(at->second)}};
  });
}

}  // namespace rafter::simt::report
