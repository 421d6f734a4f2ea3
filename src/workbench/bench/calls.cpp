#include "workbench/bench/calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/messages.hpp"
#include "workbench/bench/refuse.hpp"

namespace rafter::bench {

namespace {

using simt::build::parse_function_name;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

bool is_identifier(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos;
}

/// Returns the value of --grid, --block or --shared for a kernel: KERNEL=VALUE, or the value for all kernels, or an
/// empty string.
std::string value_for(const std::string& kernel, const std::vector<std::string>& words,
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

std::vector<base::Expression> parse_extents(const char* option, const std::string& list) {
  std::vector<base::Expression> extents;
  for (const std::string& part : base::split_list(list)) extents.push_back(parse_expression(option, part));
  return extents;
}

/// "dim3(x, y)" and "(x, y)" are the list x, y.
std::string without_dim3(std::string text) {
  if (text.starts_with("dim3")) text = trimmed(text.substr(4));
  if (!text.starts_with("(") || !text.ends_with(")")) return text;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text;  // (a) + (b)
  }
  return text.substr(1, text.size() - 2);
}

/// The number in "1.5f" or "32u" without the suffix of its type.
std::string without_suffix(const std::string& text) {
  const std::size_t end = text.find_last_not_of("fFuUlL");
  const bool is_number = !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0 && end != text.npos &&
                         text.find_first_not_of("0123456789.eE+-") > end;
  return is_number ? text.substr(0, end + 1) : text;
}

/// The parts of [NAME=]FUNCTION[<<<LAUNCH>>>][(OPERANDS)].
struct CallText {
  std::string name{}, function{};
  std::optional<std::string> launch{};
  std::string operands{};  ///< With its parentheses.
};

CallText split_call(const std::string& typed) {
  CallText made;
  std::string text = trimmed(typed);
  if (text.ends_with(";")) text = trimmed(text.substr(0, text.size() - 1));
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && is_identifier(trimmed(text.substr(0, equals)))) {
    made.name = trimmed(text.substr(0, equals));
    text = trimmed(text.substr(equals + 1));
  }
  const std::size_t open = text.find("<<<"), close = text.find(">>>", open == std::string::npos ? 0 : open);
  if (open != std::string::npos && close == std::string::npos) refuse("--call {}: '<<<' has no '>>>'", typed);
  if (open != std::string::npos) {
    made.function = trimmed(text.substr(0, open));
    made.launch = text.substr(open + 3, close - open - 3);
    made.operands = trimmed(text.substr(close + 3));
  } else {
    const std::size_t angle = text.find('<');
    std::size_t end = text.find('(');
    if (angle < end) end = text.find('(', text.rfind('>'));
    made.function = trimmed(text.substr(0, end));
    made.operands = end == std::string::npos ? "" : text.substr(end);
  }
  return made;
}

}  // namespace

base::Expression parse_expression(const char* option, const std::string& text) {
  try {
    return base::Expression(text);
  } catch (const Error& error) {
    refuse("{} {}", option, error.what());
  }
}

std::optional<base::Expression> parse_optional(const char* option, const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(parse_expression(option, text));
}

SubjectParser::SubjectParser(const KernelRequest& request, const KernelPlan& plan,
                             const simt::build::Declared& declared)
    : request_(request), plan_(plan), declared_(declared), names_(request.kernels) {
  names_.insert(names_.end(), request.references.begin(), request.references.end());
  for (const std::string& call : request.calls) names_.push_back(split_call(call).function);
}

bool SubjectParser::is_kernel(const std::string& name) const {
  return !declared_.kernels_called(parse_function_name(name)).empty();
}

bool SubjectParser::is_host_function(const std::string& name) const {
  return !declared_.functions_called(parse_function_name(name)).empty();
}

bool SubjectParser::is_launcher(const std::string& name) const {
  return is_host_function(name) && declared_.launches(parse_function_name(name).name);
}

bool SubjectParser::is_cooperative(const std::string& kernel) const {
  return contains(request_.cooperative, kernel) || declared_.waits_for_grid(parse_function_name(kernel).name);
}

std::string SubjectParser::unknown_text(const std::string& name) const {
  std::vector<std::string> known;
  std::string list;
  for (const simt::build::Kernel& kernel : declared_.all_kernels()) {
    known.push_back(kernel.name);
    list += fmt::format("\n{}:{}: {}{}", declared_.file().string(), kernel.line, kernel.name,
                        kernel.is_template ? "<...>" : "");
  }
  if (known.empty()) return fmt::format("'{}' has no kernels", declared_.file().string());
  return base::unknown_name("kernel", name, known) + list;
}

LaunchExpressions SubjectParser::parse_launch(const std::string& kernel, bool is_reference) const {
  const auto value = [&](const std::vector<std::string>& words, const std::string& of_references, const char* option) {
    return is_reference && !of_references.empty() ? of_references : value_for(kernel, words, names_, option);
  };
  const std::string grid = value(request_.grids, request_.reference_grid, "--grid");
  const std::string block = value(request_.blocks, request_.reference_block, "--block");
  if (grid.empty() || block.empty())
    refuse("no {0} for {1}: --{0} X[,Y[,Z]], or for this kernel alone --{0} {1}=X[,Y[,Z]]",
           grid.empty() ? "grid" : "block", kernel);
  return {parse_extents("--grid", grid), parse_extents("--block", block),
          parse_optional("--shared", value(request_.shared, request_.reference_shared, "--shared")),
          is_cooperative(kernel)};
}

Calls SubjectParser::subject(const std::string& name, bool is_reference) const {
  if (is_kernel(name)) return {{.function = name, .launch = parse_launch(name, is_reference)}};
  if (!is_host_function(name)) refuse("{}", unknown_text(name));
  if (!is_launcher(name))
    refuse("{0} is a host function that launches no kernel: it can be a reference, --reference {0}", name);
  for (const auto& [words, option] : {std::pair(&request_.grids, "--grid"), std::pair(&request_.blocks, "--block")}) {
    for (const std::string& word : *words) {
      if (word.starts_with(name + "="))
        refuse("{} {}: {} is a host function and chooses its launches", option, word, name);
    }
  }
  return {{.function = name}};
}

LaunchExpressions SubjectParser::parse_chevrons(const std::string& kernel, const std::string& list,
                                                const std::string& call) const {
  std::vector<std::string> parts;
  for (const std::string& part : base::split_list(list)) parts.push_back(trimmed(part));
  if (parts.size() < 2 || parts.size() > 3)
    refuse("--call {}: expected <<<GRID, BLOCK>>> or <<<GRID, BLOCK, SHARED>>>", call);
  return {parse_extents("--call", without_dim3(parts[0])), parse_extents("--call", without_dim3(parts[1])),
          parse_optional("--call", parts.size() > 2 ? parts[2] : ""), is_cooperative(kernel)};
}

Operand SubjectParser::parse_operand(const std::string& text) const {
  const auto argument_called = [&](const std::string& name) {
    return std::find_if(plan_.arguments.begin(), plan_.arguments.end(),
                        [&](const Argument& argument) { return argument.name == name; });
  };
  if (const auto named = argument_called(text); named != plan_.arguments.end()) return {*named};
  if (text == "nullptr" || text == "NULL") return {{.name = text, .kind = Argument::Kind::null}};
  const std::size_t plus = text.find('+');
  const auto array = argument_called(trimmed(text.substr(0, plus)));
  if (plus != std::string::npos && array != plan_.arguments.end() && array->is_array())
    return {*array, parse_expression("--call", text.substr(plus + 1))};
  try {
    return {scalar_argument(text, without_suffix(text))};
  } catch (const Error& error) {
    refuse("--call: the argument '{}' is neither an array of --arg nor an expression of the sizes: {}", text,
           error.what());
  }
}

std::pair<std::string, Call> SubjectParser::parse_call(const std::string& typed) const {
  const CallText text = split_call(typed);
  Call call{.function = text.function};
  const bool has_operands = !text.operands.empty();
  if (call.function.empty() || (has_operands && (!text.operands.starts_with("(") || !text.operands.ends_with(")"))))
    refuse("--call {}: expected [NAME=]KERNEL<<<GRID, BLOCK>>>(ARGUMENTS), or FUNCTION(ARGUMENTS)", typed);
  if (is_kernel(call.function)) {
    call.launch = text.launch ? parse_chevrons(call.function, *text.launch, typed) : parse_launch(call.function, false);
  } else if (!is_host_function(call.function)) {
    refuse("{}", unknown_text(call.function));
  } else if (text.launch) {
    refuse("--call {}: {} is a host function and has no <<<...>>>", typed, call.function);
  }
  if (has_operands) {
    call.operands.emplace();
    for (const std::string& operand : base::split_list(text.operands.substr(1, text.operands.size() - 2))) {
      if (!trimmed(operand).empty()) call.operands->push_back(parse_operand(trimmed(operand)));
    }
  }
  return {text.name, std::move(call)};
}

std::vector<std::pair<std::string, Calls>> SubjectParser::sequences() const {
  std::vector<std::pair<std::string, Calls>> all;
  for (const std::string& text : request_.calls) {
    auto [name, call] = parse_call(text);
    auto found = all.begin();
    while (found != all.end() && found->first != name) ++found;
    if (found == all.end()) found = all.insert(all.end(), {name, {}});
    found->second.push_back(std::move(call));
  }
  for (auto& [name, calls] : all) {
    const bool launches = std::any_of(calls.begin(), calls.end(), [&](const Call& call) {
      return call.launch || declared_.launches(parse_function_name(call.function).name);
    });
    if (!launches) refuse("--call {}: nothing of it launches a kernel", calls.front().function);
    if (!name.empty()) continue;
    for (const Call& call : calls) {
      if (!name.ends_with(call.function)) name += (name.empty() ? "" : "+") + call.function;
    }
  }
  return all;
}

}  // namespace rafter::bench
