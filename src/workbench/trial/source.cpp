#include "workbench/trial/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "base/files.hpp"
#include "base/messages.hpp"
#include "base/pattern.hpp"
#include "executor/build/rewrite/lexer.hpp"
#include "executor/build/rewrite/scopes.hpp"
#include "rafter/error.hpp"
#include "workbench/trial/exercises.hpp"
#include "workbench/trial/signature.hpp"

namespace rafter::trial {

namespace fs = std::filesystem;
using simt::build::Kernel;

std::string LearnerSource::line(int number) const {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < number; ++i) std::getline(lines, line);
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string::npos ? "" : line.substr(first);
}

LearnerSource read_source(const std::string& file) {
  std::error_code error;
  if (!fs::exists(file, error)) throw Error(ErrorCode::io, fmt::format("there is no file {}", file));
  const auto text = fs::is_regular_file(file, error) ? base::read_file(file) : std::nullopt;
  if (!text) throw Error(ErrorCode::io, fmt::format("cannot read {}", file));
  return {file, *text, simt::build::find_kernels(*text)};
}

const Kernel* kernel_called(const LearnerSource& source, const std::string& name) {
  const std::string bare = name.substr(0, name.find('<'));
  for (const Kernel& kernel : source.kernels) {
    if (kernel.name == bare || kernel.name.ends_with("::" + bare)) return &kernel;
  }
  return nullptr;
}

std::optional<Kernel> host_function_called(const LearnerSource& source, const std::string& name) {
  const std::vector<Kernel> found = simt::build::find_host_functions(source.text, name);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

TryMessage missing_function(const LearnerSource& source, const std::string& name) {
  const bool is_kernel = kernel_called(source, name) != nullptr;
  return {"no_function",
          is_kernel ? fmt::format("{}: {} is a kernel here, but this exercise is host code", source.file.string(), name)
                    : fmt::format("{} has no function {}", source.file.string(), name),
          "", fmt::format("Write void {}(...) without __global__: it runs on the host and launches kernels.", name)};
}

TryMessage missing_kernel(const LearnerSource& source, const std::string& name) {
  const std::string file = source.file.string();
  if (source.kernels.empty()) {
    return {"no_kernel", fmt::format("{} has no kernel: no function in it is __global__", file), "",
            fmt::format("Name the function {} and write __global__ void before it.", name)};
  }
  std::vector<std::string> names;
  std::string list;
  for (const Kernel& kernel : source.kernels) {
    names.push_back(kernel.name);
    list += fmt::format("{}{}:{}: {}", list.empty() ? "" : "\n", file, kernel.line, spelled(kernel));
  }
  return {"no_kernel", fmt::format("{}: {}", file, base::unknown_name("kernel", name, names)), list,
          fmt::format("Name the kernel {}, or select another one: --kernel {}", name, names.front())};
}

std::optional<TryMessage> relaxed_constexpr(const LearnerSource& source) {
  constexpr std::array<std::string_view, 7> names{"max", "min", "clamp", "swap", "fill", "copy", "numeric_limits"};
  const simt::build::Tokens tokens(source.text);
  const simt::build::Scopes scopes(tokens);
  bool is_constant = false;  // `constexpr int n = std::max(..)` is evaluated by the compiler
  for (int i = 0; i + 3 < tokens.size(); ++i) {
    if (scopes.statement(i) == i) is_constant = false;
    is_constant = is_constant || tokens.is(i, "constexpr") || tokens.is(i, "__shared__");
    const bool is_named = tokens.is(i, "std") && tokens.is(i + 1, "::") && !tokens.is(i - 1, "::") &&
                          std::find(names.begin(), names.end(), tokens.text(i + 2)) != names.end();
    if (!is_named || is_constant || !scopes.of(i).device_only) continue;
    const int line = tokens[i].line;
    return TryMessage{
        "note",
        fmt::format("note: {}:{}: std::{}  in a kernel: nvcc accepts it only with --expt-relaxed-constexpr",
                    source.file.string(), line, tokens.text(i + 2)),
        fmt::format("{:>11} | {}", line, source.line(line)),
        "CUDA's own max, min and fmaxf need no std::; FLT_MAX is in <cfloat>."};
  }
  return std::nullopt;
}

std::optional<TryMessage> oversized_launch(const LearnerSource& source, const std::string& kernel) {
  const std::string bare = kernel.substr(0, kernel.find('<'));
  const base::Pattern launch(bare + R"((?:<[\w ,]*>)?\s*<<<\s*[^,;]*,\s*(\w+)\s*(?:,[^;]*)?>>>)");
  std::istringstream lines(source.text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto match = launch.find(line);
    if (!match) continue;
    std::string threads = match->at(1);
    // A named constant: use its value.
    const base::Pattern setting(R"(\b)" + threads + R"(\b\s*[={(]?\s*(\d+)\b)");
    if (threads.find_first_not_of("0123456789") != std::string::npos) {
      const auto value = setting.find(source.text);
      threads = value ? value->at(1) : "0";
    }
    const long n = std::strtol(threads.c_str(), nullptr, 10);
    if (n <= most_threads) continue;
    return TryMessage{"launch",
                      fmt::format("{}:{}: a launch with {} threads per block", source.file.string(), number, n),
                      fmt::format("{:>5} | {}\nA block has at most {} threads: the GPU rejects this launch, the kernel "
                                  "does not run, and its output is unchanged.",
                                  number, source.line(number), most_threads),
                      fmt::format("Use {} threads or fewer, and more blocks.", most_threads)};
  }
  return std::nullopt;
}

}  // namespace rafter::trial
