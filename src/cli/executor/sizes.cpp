#include "cli/executor/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/expression.hpp"
#include "base/files.hpp"
#include "executor/build/nvcc.hpp"
#include "executor/build/rewrite/kernels.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {

namespace {

/// The expressions of a list, each as a whole number.
std::string whole_numbers(const std::string& list, const base::Names& names) {
  std::string text;
  for (const std::string& part : base::split_list(list))
    text += fmt::format("{}{}", text.empty() ? "" : ",", base::evaluate_integer(part, names));
  return text;
}

/// A fill or a single value: a number, or words that stay as they are.
std::string value_text(const std::string& text, const base::Names& names) {
  for (const char* word : {"random", "arange", "nan", "inf", "-inf", "null"}) {
    if (text.starts_with(word)) return text;
  }
  return text.ends_with(".npy") ? text : fmt::format("{:.17g}", base::evaluate(text, names));
}

/// NAME=TYPE[SHAPE]:FILL with numbers in shape and fill.
std::string argument_text(const std::string& argument, const base::Names& names) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos) return argument;  // is refused with what was expected
  std::string head = argument.substr(0, equals + 1), rest = argument.substr(equals + 1);
  const std::size_t open = rest.find('['), close = rest.find(']');
  if (open != std::string::npos && close != std::string::npos && open < close) {
    head += rest.substr(0, open + 1) + whole_numbers(rest.substr(open + 1, close - open - 1), names) + "]";
    rest = rest.substr(close + 1);
    return rest.starts_with(":") ? head + ":" + value_text(rest.substr(1), names) : head + rest;
  }
  const std::size_t colon = rest.find(':');
  if (colon == std::string::npos) return head + value_text(rest, names);
  return head + rest.substr(0, colon + 1) + value_text(rest.substr(colon + 1), names);
}

bool has_argument(const ExecutorOptions& options, const std::string& name) {
  return std::any_of(options.arguments.begin(), options.arguments.end(),
                     [&](const std::string& argument) { return argument.starts_with(name + "="); });
}

/// The names of the kernel's parameters; none where it is not found, which others complain about.
std::vector<std::string> parameters_of(const ExecutorOptions& options) {
  const std::string bare = options.kernel.substr(0, options.kernel.find('<'));
  for (const std::string& input : simt::build::parse_nvcc(options.build).inputs) {
    for (const simt::build::Kernel& kernel : simt::build::find_kernels(base::read_file(input).value_or(""))) {
      if (kernel.name == bare || kernel.name.ends_with("::" + bare)) return kernel.parameters;
    }
  }
  return {};
}

}  // namespace

ExecutorOptions with_sizes(ExecutorOptions options) {
  if (options.settings.empty()) return options;
  if (options.kernel.empty())
    throw Error(ErrorCode::bad_argument, "--set is for a kernel's sizes: --kernel NAME says which");
  base::Names names;
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorCode::bad_argument, fmt::format("--set takes NAME=VALUE, got '{}'", setting));
    names[setting.substr(0, equals)] = base::evaluate(setting.substr(equals + 1), names);
  }
  for (std::string* list : {&options.grid, &options.block, &options.shared}) {
    if (!list->empty()) *list = whole_numbers(*list, names);
  }
  for (std::string& argument : options.arguments) argument = argument_text(argument, names);
  for (const std::string& parameter : parameters_of(options)) {
    if (names.contains(parameter) && !has_argument(options, parameter))
      options.arguments.push_back(fmt::format("{}={:.17g}", parameter, names.at(parameter)));
  }
  return options;
}

}  // namespace rafter::cli
