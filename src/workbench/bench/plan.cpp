#include "workbench/bench/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/files.hpp"
#include "base/messages.hpp"
#include "executor/build/nvcc.hpp"
#include "executor/build/rewrite/kernels.hpp"
#include "rafter/error.hpp"

namespace rafter::bench {

namespace {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::bad_argument, fmt::format(text, std::forward<Args>(args)...));
}

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// The one source among files and compiler options.
std::filesystem::path source_of(const std::vector<std::string>& build) {
  std::vector<std::filesystem::path> sources;
  for (const std::string& input : simt::build::parse_nvcc(build).inputs) {
    if (!input.starts_with("-") && simt::build::is_source(input)) sources.emplace_back(input);
  }
  if (sources.size() != 1)
    refuse("one CUDA source is expected, FILE.cu, and {} were given", sources.empty() ? "none" : "several");
  if (!std::filesystem::exists(sources.front()))
    throw Error(ErrorCode::io, fmt::format("there is no file {}", sources.front().string()));
  return sources.front();
}

/// What one of --grid, --block and --shared says of a kernel: its own word, or the word for all.
std::string word_for(const std::string& kernel, const std::vector<std::string>& words,
                     const std::vector<std::string>& kernels, const char* option) {
  std::optional<std::string> own, all;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const bool is_named = equals != std::string::npos && word.compare(equals, 2, "==") != 0;
    if (is_named && !contains(kernels, name))
      refuse("{} {}: {}", option, word, base::unknown_name("kernel", name, kernels));
    if (is_named && name != kernel) continue;
    std::optional<std::string>& place = is_named ? own : all;
    if (place) refuse("{} was given twice{}", option, is_named ? " for " + kernel : "");
    place = is_named ? word.substr(equals + 1) : word;
  }
  return own ? *own : all.value_or("");
}

LaunchExpressions launch_of(const std::string& kernel, const Request& request,
                            const std::vector<std::string>& kernels) {
  const std::string grid = word_for(kernel, request.grids, kernels, "--grid");
  const std::string block = word_for(kernel, request.blocks, kernels, "--block");
  if (grid.empty() || block.empty())
    refuse("no {0} for {1}: --{0} X[,Y[,Z]], or for this kernel alone --{0} {1}=X[,Y[,Z]]",
           grid.empty() ? "grid" : "block", kernel);
  return {base::split_list(grid), base::split_list(block), word_for(kernel, request.shared, kernels, "--shared")};
}

lab::Parameter parameter_of(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) refuse("--set takes NAME=VALUE, got '{}'", setting);
  const std::string name = setting.substr(0, equals);
  const std::string first = base::split_list(setting.substr(equals + 1)).front();
  lab::Value value;
  try {
    value = lab::parse_integer(first);
  } catch (const Error&) {
    value = base::evaluate(first, {});  // a fraction, or it throws
  }
  return {.name = name, .meaning = "a size of yours", .standard = value, .is_size = true};
}

void take_reference(Plan& plan, const std::string& reference, const std::string& text) {
  const std::size_t equals = reference.find('=');
  if (equals != std::string::npos && reference.ends_with(".npy")) {
    plan.expectations[reference.substr(0, equals)] = reference.substr(equals + 1);
    return;
  }
  const std::string bare = reference.substr(0, reference.find('<'));
  std::vector<std::string> known;
  for (const simt::build::Kernel& kernel : simt::build::find_kernels(text)) {
    if (kernel.name == bare || kernel.name.ends_with("::" + bare)) {
      plan.reference_kernels.push_back(reference);
      return;
    }
    known.push_back(kernel.name);
  }
  if (!simt::build::find_host_functions(text, bare).empty()) {
    plan.reference_functions.push_back(reference);
    return;
  }
  refuse("--reference {}: {}\n  a reference is a kernel or a host function of {}, or ARRAY=FILE.npy", reference,
         base::unknown_name("kernel", reference, known), plan.file.string());
}

unsigned extent_of(const std::string& kernel, const char* what, const std::string& expression,
                   const base::Names& names) {
  const std::int64_t value = base::evaluate_integer(expression, names);
  if (value < 1 || value > 0x7fffffff)
    refuse("the {} of {}: '{}' is {}, and 1 to 2^31-1 is expected", what, kernel, expression, value);
  return static_cast<unsigned>(value);
}

}  // namespace

std::vector<std::string> Plan::rungs() const {
  std::vector<std::string> all = reference_kernels;
  for (const std::string& kernel : kernels) {
    if (!contains(all, kernel)) all.push_back(kernel);
  }
  return all;
}

bool Plan::is_reference(const std::string& kernel) const { return contains(reference_kernels, kernel); }

lab::Params Plan::first_case() const {
  lab::Params params;
  for (const lab::Parameter& parameter : parameters) params.set(parameter.name, parameter.standard);
  return params;
}

Plan make_plan(const Request& request) {
  Plan plan{.file = source_of(request.build),
            .kernels = request.kernels,
            .bytes = request.bytes,
            .flops = request.flops,
            .tolerance = request.tolerance};
  const std::string text = base::read_file(plan.file).value_or("");
  for (const std::string& reference : request.references) take_reference(plan, reference, text);
  if (request.references.empty() && plan.kernels.size() > 1) plan.reference_kernels.push_back(plan.kernels.front());
  if (plan.reference_kernels.empty() && plan.reference_functions.empty() && plan.expectations.empty()) {
    refuse(
        "nothing says what is right: --reference NAME, a kernel or host function of {} that is plain and slow, or "
        "--reference ARRAY=FILE.npy",
        plan.file.string());
  }
  if (!plan.expectations.empty() && plan.reference_kernels.size() + plan.reference_functions.size() > 0)
    refuse("a reference is files or functions, not both: inputs of files are always the same");
  for (const std::string& argument : request.arguments) {
    plan.arguments.push_back(parse_argument(argument));
    for (std::size_t i = 0; i + 1 < plan.arguments.size(); ++i) {
      if (plan.arguments[i].name == plan.arguments.back().name)
        refuse("--arg {} was given twice", plan.arguments[i].name);
    }
  }
  const std::vector<std::string> rungs = plan.rungs();
  for (const std::string& kernel : rungs) plan.launches[kernel] = launch_of(kernel, request, rungs);
  for (const std::string& setting : request.settings) plan.parameters.push_back(parameter_of(setting));
  return plan;
}

base::Names names_of(const lab::Params& params) {
  base::Names names;
  for (const auto& entry : params.all()) {
    if (const auto* whole = std::get_if<std::int64_t>(&entry.second)) names[entry.first] = static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&entry.second)) names[entry.first] = *real;
  }
  return names;
}

LaunchShape shape_of(const std::string& kernel, const LaunchExpressions& launch, const base::Names& names) {
  LaunchShape shape;
  if (launch.grid.size() > 3 || launch.block.size() > 3)
    refuse("{}: a grid and a block have at most three extents", kernel);
  for (std::size_t i = 0; i < launch.grid.size(); ++i) shape.grid[i] = extent_of(kernel, "grid", launch.grid[i], names);
  for (std::size_t i = 0; i < launch.block.size(); ++i)
    shape.block[i] = extent_of(kernel, "block", launch.block[i], names);
  if (!launch.shared.empty()) {
    const std::int64_t bytes = base::evaluate_integer(launch.shared, names);
    if (bytes < 0) refuse("the shared memory of {}: {} bytes", kernel, bytes);
    shape.shared_bytes = static_cast<std::size_t>(bytes);
  }
  const unsigned long long n_threads = 1ULL * shape.block[0] * shape.block[1] * shape.block[2];
  if (n_threads > 1024 || shape.block[2] > 64)
    refuse("{}: a block has at most 1024 threads, and 64 along z; this one has {}", kernel, n_threads);
  if (shape.grid[1] > 65535 || shape.grid[2] > 65535)
    refuse("{}: a grid has at most 65535 blocks along y and z; this one has {} and {}", kernel, shape.grid[1],
           shape.grid[2]);
  return shape;
}

}  // namespace rafter::bench
