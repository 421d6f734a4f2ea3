#include "modules.hpp"

#include <algorithm>
#include <fstream>

namespace rafter::architecture {

namespace fs = std::filesystem;

namespace {

using Folders = std::vector<std::string_view>;

const Folders lab{"src/workbench/lab/data",    "src/workbench/lab/workload", "src/workbench/lab/cases",
                  "src/workbench/lab/machine", "src/workbench/lab/roofs",    "src/workbench/lab/measure",
                  "src/workbench/lab/report"};
const Folders contracts{"src/workbench/lab/data", "src/workbench/lab/workload", "src/workbench/lab/cases"};
const Folders headers{"include/rafter", "src/base"};

Folders operator+(Folders all, const Folders& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

const std::vector<Module>& modules() {
  static const Folders library{"src/library/core"};
  static const Folders process{"src/executor/include", "src/executor/process"};
  static const Folders memory = process + Folders{"src/executor/memory"};
  static const Folders engine = memory + Folders{"src/executor/engine"};
  static const Folders tool_side{"src/executor/build", "src/executor/report"};
  static const std::vector<Module> all{
      {"include/rafter", "the public API"},
      {"src/base", "files, processes, sandboxes, expressions, text", {"include/rafter"}},
      {"src/executor/include", "headers that replace CUDA's"},
      {"src/library/ptx", "PTX wrappers and their emulation", {"include/rafter", "src/executor/include"}},
      {"src/library/core", "streams, buffers, launch, tiles, tunables", {"include/rafter", "src/library/ptx"}},
      {"src/library/safetensors", "the reader of model files", headers},
      {"src/library/c_api", "the C API", {"include/rafter", "src/library/core"}},
      {"src/executor/process", "options, findings, the observer interface", {"src/base", "src/executor/include"}},
      {"src/executor/memory", "allocations, shadow memory, symbol tables", process},
      {"src/executor/engine", "blocks, warps, fibers, workers", memory},
      {"src/executor/textures", "texture and surface objects", engine},
      {"src/executor/order", "vector clocks of streams and what their work accessed", process},
      {"src/executor/check", "memory, race and stream checkers", engine + Folders{"src/executor/order"}},
      {"src/executor/count", "counters of requests, sectors, bank conflicts", engine},
      {"src/executor/api", "the CUDA runtime API", engine + Folders{"src/executor/textures"}},
      {"src/executor/runtime", "launches, the process's report, bare kernels",
       engine + Folders{"src/executor/check", "src/executor/count", "src/executor/api"}},
      {"src/executor/libraries",
       "CUDA's libraries (cuBLAS, cuRAND), as shared objects of their own",
       {"src/executor/include"}},
      {"src/executor/build", "rewriting and compiling CUDA sources", headers},
      {"src/executor/report", "findings and profiles as text", headers + Folders{"src/executor/build"}},
      {"src/executor/command", "user programs on the executor: requests, builds, runs",
       headers + Folders{"src/executor/build"}},
      {"src/executor/device", "the device `simt` of the library", headers + library + Folders{"src/executor/report"}},
      {"src/workbench/lab/data",
       "guarded arrays, generated elements, the comparator",
       {"include/rafter", "src/library/core"}},
      {"src/workbench/lab/workload", "contracts: parameters, cost, rungs, the registry",
       headers + library + Folders{"src/workbench/lab/data"}},
      {"src/workbench/lab/cases", "arrays and ladders of a case",
       Folders{"include/rafter", "src/library/core", "src/workbench/lab/data", "src/workbench/lab/workload"}},
      {"src/workbench/lab/machine", "clocks, caches, timers", headers + library},
      {"src/workbench/lab/roofs", "measured roofs and the floors that follow",
       headers + library + Folders{"src/library/ptx", "src/workbench/lab/workload", "src/workbench/lab/machine"}},
      {"src/workbench/lab/measure", "verification, timing, statistics",
       headers + library +
           Folders{"src/workbench/lab/workload", "src/workbench/lab/machine", "src/workbench/lab/roofs"}},
      {"src/workbench/lab/report", "tables and results files",
       headers + Folders{"src/workbench/lab/machine", "src/workbench/lab/roofs", "src/workbench/lab/measure"}},
      {"kernels", "the families",
       headers + library + Folders{"src/library/ptx", "src/library/safetensors"} + contracts},
      {"src/workbench/journal", "logs of an optimisation", headers},
      {"src/workbench/session", "the loop of `rafter run`: cases, results, resuming",
       headers + library + lab + Folders{"src/workbench/journal"}},
      {"src/workbench/draw", "figures as PNG, SVG or PDF", headers},
      {"src/workbench/explain", "what limits a kernel", headers + lab + tool_side + Folders{"src/executor/command"}},
      {"src/workbench/bench", "user kernels and programs as workloads",
       headers + library + lab + tool_side +
           Folders{"src/executor/command", "src/executor/device", "src/workbench/journal", "src/workbench/session",
                   "src/workbench/explain"}},
      {"src/workbench/tune", "parameter spaces, successive halving, tuning of kernels and ops",
       headers + library + lab + Folders{"src/executor/device", "src/workbench/journal", "src/workbench/bench"}},
      {"src/workbench/plot", "results files as figures", headers + Folders{"src/workbench/draw", "src/workbench/tune"}},
      {"src/workbench/report", "results files and journals as one HTML page",
       headers + Folders{"src/workbench/journal", "src/workbench/draw", "src/workbench/plot"}},
      {"src/workbench/compare", "before and after: results files or two builds", headers + lab},
      {"src/workbench/trial", "exercises, on the executor and on a GPU",
       headers + library + lab + tool_side + Folders{"src/executor/device"}},
      {"src/workbench/judge", "many files tried in an exercise",
       headers + lab + Folders{"src/executor/build", "src/workbench/trial"}},
      {"src/workbench/family", "families outside this tree: template, build, load", headers + library + contracts},
      {"src/apps/solve", "`rafter solve`", headers + library + lab + Folders{"src/workbench/draw"}},
      {"src/apps/classify", "`rafter classify`, and its network, LeNet",
       headers + library + Folders{"src/library/ptx", "kernels"} + lab},
      {"src/apps/score", "`rafter score`", headers + library},
      {"src/apps/forces", "`rafter forces`", headers + library + Folders{"kernels"}},
      {"src/cli", "the command line",
       headers + library + lab + tool_side +
           Folders{"src/executor/command", "src/executor/device", "src/workbench/journal", "src/workbench/session",
                   "src/workbench/draw", "src/workbench/tune", "src/workbench/plot", "src/workbench/report",
                   "src/workbench/compare", "src/workbench/explain", "src/workbench/trial", "src/workbench/judge",
                   "src/workbench/bench", "src/workbench/family", "src/apps/solve", "src/apps/classify",
                   "src/apps/score", "src/apps/forces"}},
  };
  return all;
}

namespace {

bool is_in(std::string_view file, std::string_view folder) {
  return file.size() > folder.size() && file.starts_with(folder) && file[folder.size()] == '/';
}

/// Returns the path in the tree that an include names, or nothing for another project's header.
std::optional<std::string> target_of(const fs::path& tree, std::string_view included) {
  const std::string name(included), first = name.substr(0, name.find('/'));
  if (first == name) return std::nullopt;
  if (first == "rafter") return "include/" + name;
  if (first == "rafter_simt") return "src/executor/include/" + name;
  for (const char* folder : {"src", "kernels"}) {
    if (fs::is_directory(tree / folder / first)) return folder + ("/" + name);
  }
  return std::nullopt;
}

/// Whether a file of a family describes cases; only those may use the workbench.
bool describes_cases(std::string_view file) {
  for (const char* ending : {"_workload.cpp", "_exercises.cpp", "_exercises.hpp", "_answers.hpp", "_answers.cu",
                             "_inputs.cpp", "_keys.hpp"}) {
    if (file.ends_with(ending)) return true;
  }
  return false;
}

/// Whether a header has no source file. The library does not link base, so that its parts and the families may use only
/// such headers of it.
bool is_header_only(const fs::path& tree, const std::string& header) {
  return !fs::exists((tree / header).replace_extension(".cpp"));
}

bool is_source(const fs::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".cpp" || ending == ".hpp" || ending == ".cu" || ending == ".cuh" || ending == ".h";
}

/// Returns NAME of a line `#include "NAME"`.
std::optional<std::string> included_by(const std::string& line) {
  constexpr std::string_view start = "#include \"";
  if (!line.starts_with(start)) return std::nullopt;
  return line.substr(start.size(), line.find('"', start.size()) - start.size());
}

/// A folder as the table shows it: without src/, and the parts of lab that a module may use in one word.
std::string uses(const Module& module) {
  const Folders& may = module.may_include;
  const auto has = [&](std::string_view folder) { return std::find(may.begin(), may.end(), folder) != may.end(); };
  const bool whole_lab = std::all_of(lab.begin(), lab.end(), has);
  std::string text;
  const auto add = [&](std::string_view folder) {
    if (folder.starts_with("src/")) folder.remove_prefix(4);
    text += (text.empty() ? "`" : ", `") + std::string(folder) + "`";
  };
  for (const std::string_view folder : may) {
    if (!whole_lab || std::find(lab.begin(), lab.end(), folder) == lab.end()) add(folder);
  }
  if (whole_lab) add("workbench/lab");
  return text;
}

}  // namespace

const Module* module_of(std::string_view file) {
  for (const Module& module : modules()) {
    if (is_in(file, module.folder)) return &module;
  }
  return nullptr;
}

std::optional<std::string> violation(const fs::path& tree, std::string_view file, std::string_view included) {
  const Module* from = module_of(file);
  if (!from) return std::string(file) + " is in no module: add its folder to tests/architecture/modules.cpp";
  const auto target = target_of(tree, included);
  if (!target) return std::nullopt;
  const Module* to = module_of(*target);
  const std::string what = std::string(file) + " includes " + std::string(included);
  if (!to) return what + ", which is in no module";
  if (to == from) return std::nullopt;
  const auto& may = from->may_include;
  if (std::find(may.begin(), may.end(), to->folder) == may.end())
    return what + ": " + std::string(from->folder) + " may not use " + std::string(to->folder);
  const bool in_library = from->folder == "kernels" || from->folder.starts_with("src/library");
  if (in_library && to->folder == "src/base" && !is_header_only(tree, *target))
    return what + ": the library links no source of src/base, only its headers may be used";
  if (from->folder == "kernels" && to->folder.starts_with("src/workbench") && !describes_cases(file))
    return what + ": of a family only *_workload.cpp, *_inputs.cpp, *_answers.* and *_exercises.* use the workbench";
  return std::nullopt;
}

std::vector<std::string> violations(const fs::path& tree) {
  std::vector<std::string> all;
  for (const char* top : {"include", "src", "kernels"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(tree / top)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      const std::string file = fs::relative(entry.path(), tree).generic_string();
      std::ifstream text(entry.path());
      for (std::string line; std::getline(text, line);) {
        const auto included = included_by(line);
        if (const auto wrong = included ? violation(tree, file, *included) : std::nullopt) all.push_back(*wrong);
      }
    }
  }
  return all;
}

std::string markdown_table() {
  std::string table = "| module | what it has | may include |\n|---|---|---|\n";
  for (const Module& module : modules())
    table += "| `" + std::string(module.folder) + "` | " + std::string(module.purpose) + " | " + uses(module) + " |\n";
  return table;
}

}  // namespace rafter::architecture
