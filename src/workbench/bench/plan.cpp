#include "workbench/bench/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/messages.hpp"
#include "executor/build/nvcc.hpp"
#include "workbench/bench/calls.hpp"
#include "workbench/bench/refuse.hpp"

namespace rafter::bench {

namespace {

/// Returns the only source among files and compiler options.
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

/// Parses NAME=VALUE[,VALUE...]. The values are whole numbers unless one of them is a fraction.
Size parse_size(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) refuse("--set takes NAME=VALUE, got '{}'", setting);
  Size size{.name = setting.substr(0, equals), .text = setting};
  bool is_whole = true;
  for (const std::string& text : base::split_list(setting.substr(equals + 1))) {
    lab::Value value;
    try {
      value = lab::parse_integer(text);
    } catch (const Error&) {
      value = parse_expression("--set", text).evaluate({});
      is_whole = false;
    }
    size.values.push_back(value);
  }
  std::vector<lab::Value> distinct;
  for (lab::Value value : size.values) {
    if (!is_whole && std::holds_alternative<std::int64_t>(value))
      value = static_cast<double>(std::get<std::int64_t>(value));
    if (std::find(distinct.begin(), distinct.end(), value) == distinct.end()) distinct.push_back(value);
  }
  size.values = std::move(distinct);
  return size;
}

void add_reference(KernelPlan& plan, const std::string& reference, const SubjectParser& parser) {
  const std::size_t equals = reference.find('=');
  if (equals != std::string::npos && reference.ends_with(".npy")) {
    plan.expectations[reference.substr(0, equals)] = reference.substr(equals + 1);
  } else if (plan.subjects.contains(reference) || parser.is_kernel(reference) || parser.is_launcher(reference)) {
    plan.reference_kernels.push_back(reference);
  } else if (parser.is_host_function(reference)) {
    plan.reference_functions.push_back(reference);
  } else {
    refuse(
        "--reference {}: {}\n  a reference is a kernel or a host function of {}, a NAME of --call, or ARRAY=FILE.npy",
        reference, parser.unknown_text(reference), plan.file.string());
  }
}

/// Adds the sequences of --call: subjects, except for those that are references.
void add_sequences(KernelPlan& plan, const KernelRequest& request, const SubjectParser& parser) {
  for (auto& [name, calls] : parser.sequences()) {
    if (contains(plan.kernels, name)) refuse("{} is the name of a --kernel and of a --call", name);
    if (!contains(request.references, name)) plan.kernels.push_back(name);
    plan.subjects[name] = std::move(calls);
  }
}

/// Parses the texts of --arg or --symbol.
std::vector<Argument> parse_arguments(const char* option, const std::vector<std::string>& texts) {
  std::vector<Argument> arguments;
  for (const std::string& text : texts) {
    Argument argument = parse_argument(text, option);
    for (const Argument& other : arguments) {
      if (other.name == argument.name) refuse("{} {} was given twice", option, argument.name);
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

/// Throws Error for a --symbol that the file does not have.
void require_variables(const std::vector<Argument>& symbols, const simt::build::Declared& declared) {
  if (symbols.empty()) return;
  const std::vector<std::string> known = declared.variables();
  for (const Argument& symbol : symbols) {
    if (!contains(known, symbol.name)) refuse("--symbol: {}", base::unknown_name("variable", symbol.name, known));
  }
}

/// Throws Error for references that cannot tell right from wrong, and for options that they do not have.
void require_references(const KernelPlan& plan, const KernelRequest& request) {
  if (plan.reference_kernels.empty() && plan.reference_functions.empty() && plan.expectations.empty()) {
    refuse(
        "there is no reference for the right result: --reference NAME, a plain kernel or host function of {}, or "
        "--reference ARRAY=FILE.npy",
        plan.file.string());
  }
  if (std::all_of(plan.kernels.begin(), plan.kernels.end(),
                  [&](const auto& kernel) { return plan.is_reference(kernel); }))
    refuse("{} is its own reference, so that it would always be right: name another kernel or a host function of {}",
           plan.kernels.front(), plan.file.string());
  const bool has_reference_launch =
      !request.reference_grid.empty() || !request.reference_block.empty() || !request.reference_shared.empty();
  if (has_reference_launch && plan.reference_kernels.empty())
    refuse("--reference-grid, --reference-block and --reference-shared are for references that are kernels");
  if (!plan.expectations.empty() && plan.reference_kernels.size() + plan.reference_functions.size() > 0)
    refuse("references are either files or functions, not both: with files the inputs are always the same");
}

/// The kinds of races that --allow accepts; a race of any values includes that of one value.
std::vector<std::string> parse_allowed(const std::vector<std::string>& words) {
  std::vector<std::string> kinds;
  for (const std::string& word : words) {
    if (word != "race" && word != "same_value_race")
      refuse("--allow takes race, or same_value_race for writes of one value; got '{}'", word);
    kinds.push_back(word);
    if (word == "race") kinds.push_back("same_value_race");
  }
  return kinds;
}

unsigned evaluate_extent(const std::string& kernel, const char* what, const base::Expression& expression,
                         const base::Names& names) {
  const std::int64_t value = expression.evaluate_integer(names);
  if (value < 1 || value > 0x7fffffff)
    refuse("the {} of {}: '{}' is {}, and 1 to 2^31-1 is expected", what, kernel, expression.text(), value);
  return static_cast<unsigned>(value);
}

}  // namespace

std::vector<std::string> KernelPlan::rungs() const {
  std::vector<std::string> all = reference_kernels;
  for (const std::string& kernel : kernels) {
    if (!contains(all, kernel)) all.push_back(kernel);
  }
  return all;
}

bool KernelPlan::is_reference(const std::string& kernel) const { return contains(reference_kernels, kernel); }

lab::Params KernelPlan::first_case() const {
  lab::Params params;
  for (const Size& size : sizes) params.set(size.name, size.values.front());
  return params;
}

Calls KernelPlan::calls_of(const std::string& name) const {
  const auto found = subjects.find(name);
  return found != subjects.end() ? found->second : Calls{{.function = name}};
}

std::vector<std::string> KernelPlan::functions_of(CallKind kind) const {
  std::vector<std::string> names;
  if (kind == CallKind::host) names = reference_functions;
  for (const std::string& subject : rungs()) {
    for (const Call& call : calls_of(subject)) {
      const bool is_wanted = call.launch.has_value() == (kind == CallKind::kernel);
      if (is_wanted && !contains(names, call.function)) names.push_back(call.function);
    }
  }
  return names;
}

KernelPlan parse_plan(const KernelRequest& request) {
  KernelPlan plan{.file = source_of(request.build),
                  .build = request.build,
                  .kernels = request.kernels,
                  .arguments = parse_arguments("--arg", request.arguments),
                  .symbols = parse_arguments("--symbol", request.symbols),
                  .bytes = parse_optional("--bytes", request.bytes),
                  .flops = parse_optional("--flops", request.flops),
                  .tolerance = request.tolerance,
                  .may_keep = request.may_keep,
                  .allowed = parse_allowed(request.allowed)};
  const simt::build::Declared declared(plan.file, simt::build::parse_nvcc(plan.build).options);
  const SubjectParser parser(request, plan, declared);
  add_sequences(plan, request, parser);
  for (const std::string& reference : request.references) add_reference(plan, reference, parser);
  if (request.references.empty() && plan.kernels.size() > 1) plan.reference_kernels.push_back(plan.kernels.front());
  if (request.needs_reference) require_references(plan, request);
  for (const std::string& name : plan.rungs()) {
    if (!plan.subjects.contains(name)) plan.subjects[name] = parser.subject(name, plan.is_reference(name));
  }
  for (const std::string& kernel : request.cooperative) {
    const std::vector<std::string> known = plan.functions_of(CallKind::kernel);
    if (!contains(known, kernel)) refuse("--cooperative: {}", base::unknown_name("kernel", kernel, known));
  }
  require_variables(plan.symbols, declared);
  for (const std::string& setting : request.settings) {
    plan.sizes.push_back(parse_size(setting));
    for (std::size_t i = 0; i + 1 < plan.sizes.size(); ++i) {
      if (plan.sizes[i].name == plan.sizes.back().name) refuse("{} is given twice", plan.sizes[i].name);
    }
  }
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
  LaunchShape shape{.is_cooperative = launch.is_cooperative};
  if (launch.grid.size() > 3 || launch.block.size() > 3)
    refuse("{}: a grid and a block have at most three extents", kernel);
  for (std::size_t i = 0; i < launch.grid.size(); ++i)
    shape.grid[i] = evaluate_extent(kernel, "grid", launch.grid[i], names);
  for (std::size_t i = 0; i < launch.block.size(); ++i)
    shape.block[i] = evaluate_extent(kernel, "block", launch.block[i], names);
  if (launch.shared_bytes) {
    const std::int64_t bytes = launch.shared_bytes->evaluate_integer(names);
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
