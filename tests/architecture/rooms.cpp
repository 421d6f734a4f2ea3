#include "rooms.hpp"

#include <algorithm>
#include <fstream>

namespace rafter::architecture {

namespace fs = std::filesystem;

namespace {

/// These, and all of the workbench.
std::vector<std::string_view> and_lab(std::vector<std::string_view> rooms) {
  for (const char* room : {"src/lab/data", "src/lab/workload", "src/lab/cases", "src/lab/machine", "src/lab/roofs",
                           "src/lab/measure", "src/lab/report"})
    rooms.push_back(room);
  return rooms;
}

}  // namespace

const std::vector<Room>& rooms() {
  static const std::vector<Room> all{
      {"include/rafter", {}},
      {"src/base", {"include/rafter"}},
      {"src/simt/include", {}},
      {"src/ptx", {"include/rafter", "src/simt/include"}},
      {"src/core", {"include/rafter", "src/ptx"}},
      // The executor's runtime, a shared object of its own.
      {"src/simt/process", {"src/simt/include"}},
      {"src/simt/memory", {"src/simt/include", "src/simt/process"}},
      {"src/simt/engine", {"src/simt/include", "src/simt/process", "src/simt/memory"}},
      {"src/simt/textures", {"src/simt/include", "src/simt/process", "src/simt/memory", "src/simt/engine"}},
      {"src/simt/order", {"src/simt/include", "src/simt/process"}},
      {"src/simt/check",
       {"src/simt/include", "src/simt/process", "src/simt/memory", "src/simt/engine", "src/simt/order"}},
      {"src/simt/count", {"src/simt/include", "src/simt/process", "src/simt/memory", "src/simt/engine"}},
      {"src/simt/api",
       {"src/simt/include", "src/simt/process", "src/simt/memory", "src/simt/engine", "src/simt/textures"}},
      {"src/simt/runtime",
       {"src/simt/include", "src/simt/process", "src/simt/memory", "src/simt/engine", "src/simt/check",
        "src/simt/count", "src/simt/api"}},
      // The executor's part of the tool.
      {"src/simt/build", {"include/rafter", "src/base"}},
      {"src/simt/report", {"include/rafter", "src/base", "src/simt/build"}},
      {"src/simt/device", {"include/rafter", "src/base", "src/core", "src/simt/report"}},
      // The workbench.
      {"src/lab/data", {"include/rafter", "src/core"}},
      {"src/lab/workload", {"include/rafter", "src/base", "src/core", "src/lab/data"}},
      {"src/lab/cases", {"include/rafter", "src/core", "src/lab/data", "src/lab/workload"}},
      {"src/lab/machine", {"include/rafter", "src/base", "src/core"}},
      {"src/lab/roofs", {"include/rafter", "src/base", "src/ptx", "src/core", "src/lab/workload", "src/lab/machine"}},
      {"src/lab/measure",
       {"include/rafter", "src/base", "src/core", "src/lab/workload", "src/lab/machine", "src/lab/roofs"}},
      {"src/lab/report", {"include/rafter", "src/base", "src/lab/machine", "src/lab/roofs", "src/lab/measure"}},
      {"kernels", {"include/rafter", "src/ptx", "src/core", "src/lab/data", "src/lab/workload", "src/lab/cases"}},
      {"src/journal", {"include/rafter", "src/base"}},
      {"src/draw", {"include/rafter", "src/base"}},
      {"src/tune", {"include/rafter", "src/base"}},
      {"src/plot", {"include/rafter", "src/base", "src/draw", "src/tune"}},
      {"src/report", {"include/rafter", "src/base", "src/journal", "src/draw", "src/plot"}},
      {"src/compare", and_lab({"include/rafter", "src/base"})},
      {"src/explain", and_lab({"include/rafter", "src/base"})},
      {"src/solve", and_lab({"include/rafter", "src/base", "src/core", "src/draw"})},
      {"src/classify", and_lab({"include/rafter", "src/base"})},
      {"src/score", {"include/rafter", "src/base", "src/core"}},
      {"src/forces", {"include/rafter", "src/base", "src/core"}},
      {"src/trial",
       and_lab({"include/rafter", "src/base", "src/core", "src/simt/build", "src/simt/report", "src/simt/device"})},
      {"src/bench", and_lab({"include/rafter", "src/base", "src/core", "src/simt/build", "src/simt/report"})},
      {"src/family", {"include/rafter", "src/base", "src/core", "src/lab/data", "src/lab/workload", "src/lab/cases"}},
      {"src/cli", and_lab({"include/rafter",  "src/base",    "src/core",  "src/simt/build", "src/simt/report",
                           "src/simt/device", "src/journal", "src/draw",  "src/plot",       "src/report",
                           "src/compare",     "src/explain", "src/solve", "src/classify",   "src/score",
                           "src/forces",      "src/trial",   "src/bench", "src/tune",       "src/family"})},
  };
  return all;
}

namespace {

bool is_in(std::string_view file, std::string_view folder) {
  return file.size() > folder.size() && file.starts_with(folder) && file[folder.size()] == '/';
}

/// Where an include leads, as a path in the tree; nothing for other projects' headers.
std::optional<std::string> target_of(const fs::path& tree, std::string_view included) {
  const std::string name(included), first = name.substr(0, name.find('/'));
  if (first == name) return std::nullopt;
  if (first == "rafter") return "include/" + name;
  if (first == "rafter_simt") return "src/simt/include/" + name;
  for (const char* folder : {"src", "kernels"}) {
    if (fs::is_directory(tree / folder / first)) return folder + ("/" + name);
  }
  return std::nullopt;
}

/// Of a family's files, the workbench is for the ones that describe its cases.
bool describes_cases(std::string_view file) {
  for (const char* ending :
       {"_workload.cpp", "_exercises.cpp", "_answers.hpp", "_answers.cu", "_inputs.cpp", "_keys.hpp"}) {
    if (file.ends_with(ending)) return true;
  }
  return false;
}

/// Which build this is, a GPU's or the executor's, is all that the wrappers of PTX ask of the core.
bool asks_for_build(const Room& from, std::string_view included) {
  return from.folder == "src/ptx" && included == "core/cuda/device_build.cuh";
}

/// Of the room of files, which the library does not link: headers that are all there is of something, and the part that
/// is the library's (rafter_safetensors).
bool is_of_library(const Room& from, std::string_view included) {
  if (from.folder != "kernels") return false;
  for (const char* header : {"base/model_reader.hpp", "base/new_file.hpp", "base/safetensors.hpp",
                             "base/show_shape.hpp", "base/suggest.hpp"}) {
    if (included == header) return true;
  }
  return false;
}

bool is_source(const fs::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".cpp" || ending == ".hpp" || ending == ".cu" || ending == ".cuh" || ending == ".h";
}

/// NAME of a line `#include "NAME"`.
std::optional<std::string> included_by(const std::string& line) {
  constexpr std::string_view start = "#include \"";
  if (!line.starts_with(start)) return std::nullopt;
  return line.substr(start.size(), line.find('"', start.size()) - start.size());
}

}  // namespace

const Room* room_of(std::string_view file) {
  for (const Room& room : rooms()) {
    if (is_in(file, room.folder)) return &room;
  }
  return nullptr;
}

std::optional<std::string> complaint(const fs::path& tree, std::string_view file, std::string_view included) {
  const Room* from = room_of(file);
  if (!from) return std::string(file) + " is in no room: write its folder into tests/architecture/rooms.cpp";
  const auto target = target_of(tree, included);
  if (!target) return std::nullopt;
  const Room* to = room_of(*target);
  const std::string what = std::string(file) + " includes " + std::string(included);
  if (!to) return what + ", which is in no room";
  if (to == from || asks_for_build(*from, included) || is_of_library(*from, included)) return std::nullopt;
  const auto& may = from->may_include;
  if (std::find(may.begin(), may.end(), to->folder) == may.end())
    return what + ": " + std::string(from->folder) + " may not use " + std::string(to->folder);
  if (from->folder == "kernels" && to->folder.starts_with("src/lab") && !describes_cases(file))
    return what + ": of a family only *_workload.cpp, *_inputs.cpp, *_answers.* and *_exercises.cpp know the workbench";
  return std::nullopt;
}

std::vector<std::string> complaints(const fs::path& tree) {
  std::vector<std::string> all;
  for (const char* top : {"include", "src", "kernels"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(tree / top)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      const std::string file = fs::relative(entry.path(), tree).generic_string();
      std::ifstream text(entry.path());
      for (std::string line; std::getline(text, line);) {
        const auto included = included_by(line);
        if (const auto wrong = included ? complaint(tree, file, *included) : std::nullopt) all.push_back(*wrong);
      }
    }
  }
  return all;
}

}  // namespace rafter::architecture
