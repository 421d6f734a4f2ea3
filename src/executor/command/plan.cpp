#include "executor/command/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/expression.hpp"
#include "base/files.hpp"
#include "executor/build/nvcc.hpp"
#include "executor/build/rewrite/kernels.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::command {

namespace {

/// Evaluates a list of expressions to whole numbers.
std::string evaluate_list(const std::string& list, const base::Names& names) {
  std::string text;
  for (const std::string& part : base::split_list(list))
    text += fmt::format("{}{}", text.empty() ? "" : ",", base::evaluate_integer(part, names));
  return text;
}

/// Evaluates a fill or a scalar. Keywords and files stay as they are.
std::string evaluate_value(const std::string& text, const base::Names& names) {
  const std::size_t open = text.find('('), comma = text.find(',');
  const bool is_range = (text.starts_with("uniform(") || text.starts_with("random(")) && comma != text.npos;
  if (is_range && text.ends_with(")"))
    return fmt::format("uniform({:.17g},{:.17g})", base::evaluate(text.substr(open + 1, comma - open - 1), names),
                       base::evaluate(text.substr(comma + 1, text.size() - comma - 2), names));
  for (const char* word : {"random", "uniform", "arange", "nan", "inf", "-inf", "null"}) {
    if (text.starts_with(word)) return text;
  }
  return text.ends_with(".npy") ? text : fmt::format("{:.17g}", base::evaluate(text, names));
}

/// Evaluates shape and fill of NAME=TYPE[SHAPE]:FILL.
std::string evaluate_argument(const std::string& argument, const base::Names& names) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos) return argument;  // the driver refuses it
  std::string head = argument.substr(0, equals + 1), rest = argument.substr(equals + 1);
  const std::size_t open = rest.find('['), close = rest.find(']');
  if (open != std::string::npos && close != std::string::npos && open < close) {
    head += rest.substr(0, open + 1) + evaluate_list(rest.substr(open + 1, close - open - 1), names) + "]";
    rest = rest.substr(close + 1);
    return rest.starts_with(":") ? head + ":" + evaluate_value(rest.substr(1), names) : head + rest;
  }
  const std::size_t colon = rest.find(':');
  if (colon == std::string::npos) return head + evaluate_value(rest, names);
  return head + rest.substr(0, colon + 1) + evaluate_value(rest.substr(colon + 1), names);
}

bool has_argument(const ProgramRequest& request, const std::string& name) {
  return std::any_of(request.arguments.begin(), request.arguments.end(),
                     [&](const std::string& argument) { return argument.starts_with(name + "="); });
}

/// The names of the kernel's parameters; empty if the kernel is not found, which the build reports.
std::vector<std::string> parameters_of(const ProgramRequest& request) {
  const std::string bare = request.kernel.substr(0, request.kernel.find('<'));
  for (const std::string& input : build::parse_nvcc(request.build).inputs) {
    for (const build::Kernel& kernel : build::find_kernels(base::read_file(input).value_or(""))) {
      if (kernel.name == bare || kernel.name.ends_with("::" + bare)) return kernel.parameters;
    }
  }
  return {};
}

/// Evaluates the expressions of a bare kernel's launch and arguments.
void evaluate_sizes(ProgramRequest& request) {
  if (request.settings.empty()) return;
  if (request.kernel.empty())
    throw Error(ErrorCode::bad_argument, "--set is for the sizes of a kernel: name it with --kernel NAME");
  base::Names names;
  for (const std::string& setting : request.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorCode::bad_argument, fmt::format("--set takes NAME=VALUE, got '{}'", setting));
    names[setting.substr(0, equals)] = base::evaluate(setting.substr(equals + 1), names);
  }
  for (std::string* list : {&request.grid, &request.block, &request.shared}) {
    if (!list->empty()) *list = evaluate_list(*list, names);
  }
  for (std::string& argument : request.arguments) argument = evaluate_argument(argument, names);
  for (const std::string& parameter : parameters_of(request)) {
    if (names.contains(parameter) && !has_argument(request, parameter))
      request.arguments.push_back(fmt::format("{}={:.17g}", parameter, names.at(parameter)));
  }
}

/// The arguments of the driver around a kernel.
std::vector<std::string> driver_arguments(const ProgramRequest& request) {
  std::vector<std::string> words;
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--grid", request.grid);
  add("--block", request.block);
  add("--shared", request.shared);
  for (const std::string& argument : request.arguments) add("--arg", argument);
  for (const std::string& save : request.saves) add("--save", save);
  if (request.action == Action::exec) add("--show", "arrays");
  return words;
}

std::string runtime_options(const ProgramRequest& request) {
  std::string text;
  if (!request.schedule.empty()) {
    if (request.schedule.find_first_not_of("0123456789") != std::string::npos)
      throw Error(ErrorCode::bad_argument, "--schedule expects a whole number, got '" + request.schedule + "'");
    text += ";schedule=" + request.schedule;
  }
  if (request.n_threads > 0) text += fmt::format(";workers={}", request.n_threads);
  if (request.leaks) text += ";leaks=1";
  if (request.isolate) text += ";isolate=1";
  if (request.strict) text += ";strict=1";
  if (!request.kernel.empty()) text += ";judged=1";
  if (request.in_step) text += ";in_step=1";
  return text;
}

}  // namespace

ProgramPlan parse_plan(const ProgramRequest& given) {
  ProgramRequest request = given;
  if (request.n_schedules > 0 && !request.schedule.empty())
    throw Error(ErrorCode::bad_argument, "--schedules tries many orders, --schedule one: give only one of them");
  evaluate_sizes(request);
  if (request.is_untrusted && !request.saves.empty())
    throw Error(ErrorCode::bad_argument, "--save is not possible with --untrusted: what the program writes is removed");
  if (!request.is_untrusted && !request.readable.empty())
    throw Error(ErrorCode::bad_argument, "--readable is for --untrusted: other programs can read everything");
  return {.action = request.action,
          .build = request.build,
          .kernel = request.kernel,
          .arguments = request.kernel.empty() ? request.program_arguments : driver_arguments(request),
          .runtime_options = runtime_options(request),
          .n_schedules = request.n_schedules,
          .checks_members = request.checks_members,
          .time_limit_s = request.time_limit_s,
          .in_step = request.in_step,
          .strict = request.strict,
          .reads_terminal = request.reads_terminal,
          .is_untrusted = request.is_untrusted,
          .readable = request.readable};
}

}  // namespace rafter::simt::command
