#include "workbench/explain/compiled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

#include "base/cuda_toolkit.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "workbench/explain/code.hpp"

namespace rafter::explain {

namespace fs = std::filesystem;

namespace {

constexpr double compile_limit_s = 300;

bool is_cuda(const std::string& word) { return word.ends_with(".cu"); }

/// Returns the options that affect a kernel's code: not those for the linker, the output or the GPU architectures.
std::vector<std::string> code_options(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto is_one_of = [&](std::initializer_list<const char*> all) {
      return std::any_of(all.begin(), all.end(), [&](const char* one) { return word == one; });
    };
    if (is_one_of({"-o", "--output-file", "-gencode", "--generate-code", "-arch", "--gpu-architecture", "-code",
                   "--gpu-code", "-Xlinker", "-L", "-l"})) {
      ++i;
      continue;
    }
    const bool is_option = word.starts_with("-");
    if (!is_option && (fs::path(word).has_extension())) continue;  // a file
    if (is_one_of({"-c", "-dc", "--compile", "-lineinfo"}) || word.starts_with("-arch") ||
        word.starts_with("-gencode") || word.starts_with("-code=") || word.starts_with("-l") ||
        word.starts_with("-L") || word.starts_with("--gpu-"))
      continue;
    kept.push_back(word);
    if (is_one_of({"-I", "-D", "-U", "-Xcompiler", "-Xptxas", "-include", "-isystem", "-std", "-maxrregcount", "-x"}) &&
        i + 1 < words.size())
      kept.push_back(words[++i]);
  }
  return kept;
}

std::string first_line_with(const std::string& output, const char* word) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(word) != std::string::npos) return line;
  }
  return "";
}

/// Returns the file itself, or a wrapper that instantiates a template kernel.
fs::path to_compile(const fs::path& source, const std::string& kernel, const fs::path& scratch) {
  if (kernel.find('<') == std::string::npos) return source;
  const fs::path wrapper = scratch / ("instance_" + source.filename().string());
  base::write_file(
      wrapper, fmt::format("#include \"{}\"\nvoid* rafter_explain_use() {{ return reinterpret_cast<void*>(&::{}); }}\n",
                           fs::absolute(source).string(), kernel));
  return wrapper;
}

void read_sass(const fs::path& cubin, CompiledSources& into) {
  const fs::path tool = base::find_cuda_program("cuobjdump");
  if (tool.empty()) return;
  const base::Outcome ended = base::run({tool.string(), "-sass", cubin.string()});
  if (ended.succeeded()) into.mixes.merge(parse_sass(ended.output));
}

}  // namespace

std::map<std::string, Resources> parse_ptxas(const std::string& text) {
  std::map<std::string, Resources> found;
  std::istringstream lines(text);
  Resources* now = nullptr;
  const auto number_before = [](const std::string& line, const char* words) -> double {
    const auto at = line.find(words);
    if (at == std::string::npos) return 0;
    std::size_t begin = at;
    while (begin > 0 && (std::isdigit(static_cast<unsigned char>(line[begin - 1])) != 0 || line[begin - 1] == ' '))
      --begin;
    return std::atof(line.substr(begin, at - begin).c_str());
  };
  for (std::string line; std::getline(lines, line);) {
    if (const auto at = line.find("Compiling entry function '"); at != std::string::npos) {
      const auto begin = at + 26;
      now = &found[line.substr(begin, line.find('\'', begin) - begin)];
    } else if (line.find("Function properties for ") != std::string::npos) {
      const std::string name =
          line.substr(line.rfind(' ') + 1);  // a function that the kernel calls has its own properties
      if (now && !found.contains(name)) continue;
    } else if (now && line.find("bytes stack frame") != std::string::npos) {
      now->stack_bytes = std::max(now->stack_bytes, number_before(line, " bytes stack frame"));
      now->spill_bytes = std::max(
          now->spill_bytes, number_before(line, " bytes spill stores") + number_before(line, " bytes spill loads"));
    } else if (now && line.find("Used ") != std::string::npos) {
      now->registers = static_cast<int>(number_before(line, " registers"));
      now->shared_bytes = number_before(line, " bytes smem");
    }
  }
  return found;
}

std::map<std::string, std::vector<std::pair<std::string, double>>> parse_sass(const std::string& text) {
  std::map<std::string, std::map<std::string, double>> counts;
  std::istringstream lines(text);
  std::string kernel;
  for (std::string line; std::getline(lines, line);) {
    if (const auto at = line.find("Function : "); at != std::string::npos) kernel = line.substr(at + 11);
    const auto open = line.find("/*"), close = line.find("*/");
    if (kernel.empty() || open == std::string::npos || close != open + 6) continue;  // "/*0010*/  FFMA R1, ..."
    std::istringstream words(line.substr(close + 2));
    std::string op;
    words >> op;
    if (op.starts_with("@")) words >> op;
    op = op.substr(0, op.find_first_of(".;"));
    if (!op.empty() && std::isupper(static_cast<unsigned char>(op[0])) != 0 && op != "NOP") ++counts[kernel][op];
  }
  std::map<std::string, std::vector<std::pair<std::string, double>>> mixes;
  for (const auto& [name, ops] : counts) {
    double all = 0;
    for (const auto& [op, n] : ops) all += n;
    auto& mix = mixes[name];
    for (const auto& [op, n] : ops) mix.emplace_back(op, n / all);
    std::stable_sort(mix.begin(), mix.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  }
  return mixes;
}

CompiledSources compile_sources(const CompileJob& job, const Gpu& gpu, const fs::path& scratch) {
  CompiledSources made;
  const fs::path nvcc = base::find_cuda_program("nvcc");
  if (nvcc.empty()) {
    made.why_not = "there is no nvcc on this machine";
    return made;
  }
  const std::vector<std::string> options = code_options(job.words);
  for (const std::string& word : job.words) {
    if (!is_cuda(word) || !fs::exists(word)) continue;
    const fs::path source = to_compile(word, job.kernel, scratch), stem = scratch / source.stem();
    std::string output;
    bool good = false;
    for (const char* variant : {"", "a"}) {  // wgmma and related instructions need sm_90a
      base::Command command{nvcc.string(),
                            "-cubin",
                            fmt::format("-arch=sm_{}{}", gpu.capability, variant),
                            "-lineinfo",
                            "-Xptxas",
                            "-v",
                            "-w",
                            "--keep",
                            "--keep-dir",
                            scratch.string()};
      command.insert(command.end(), options.begin(), options.end());
      command.insert(command.end(), {"-o", stem.string() + ".cubin", source.string()});
      const base::Outcome ended = base::run_process({.command = command, .time_limit_s = compile_limit_s});
      output = ended.output;
      good = ended.succeeded();
      if (good || gpu.capability != 90) break;
    }
    if (!good) {
      std::string error = first_line_with(output, "error");
      if (error.empty()) error = first_line_with(output, "fatal");  // an architecture that this nvcc does not know
      made.why_not = fmt::format("nvcc does not compile {}{}{}", word, error.empty() ? "" : ": ", error);
      continue;
    }
    for (auto& [symbol, resources] : parse_ptxas(output)) made.resources[symbol] = resources;
    for (PtxKernel& kernel : parse_ptx(base::read_file(stem.string() + ".ptx").value_or("")))
      made.kernels.push_back(std::move(kernel));
    read_sass(stem.string() + ".cubin", made);
  }
  if (made.kernels.empty() && made.why_not.empty()) made.why_not = "no CUDA source was given to nvcc";
  return made;
}

void add_compiled(Facts& facts, const CompiledSources& sources, const Gpu& gpu) {
  std::vector<std::string> names;
  for (const PtxKernel& kernel : sources.kernels) names.push_back(kernel.name);
  const int found = find_kernel(names, facts.kernel);
  if (found < 0) return;
  const PtxKernel& kernel = sources.kernels[static_cast<std::size_t>(found)];
  const auto resources = sources.resources.find(kernel.symbol);
  if (resources == sources.resources.end()) return;
  const Resources& r = resources->second;
  CompiledFacts made{.capability = gpu.capability,
                     .registers = r.registers,
                     .spill_bytes = r.spill_bytes,
                     .stack_bytes = r.stack_bytes,
                     .static_shared_bytes = r.shared_bytes};
  made.code = code_of(kernel, facts, latencies_of(facts, gpu));
  if (const auto mix = sources.mixes.find(kernel.symbol); mix != sources.mixes.end()) made.mix = mix->second;
  facts.compiled = std::move(made);
}

}  // namespace rafter::explain
