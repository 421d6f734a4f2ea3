#include "workbench/bench/binding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/messages.hpp"
#include "rafter/error.hpp"

namespace rafter::bench {

namespace {

const Argument* find(const std::vector<Argument>& arguments, const std::string& name) {
  const auto found =
      std::find_if(arguments.begin(), arguments.end(), [&](const Argument& argument) { return argument.name == name; });
  return found != arguments.end() ? &*found : nullptr;
}

bool takes(const TableFunction& function, const std::string& name) {
  return std::any_of(function.parameters.begin(), function.parameters.end(),
                     [&](const TableParameter& parameter) { return parameter.name == name; });
}

/// Whether an argument may be passed for a parameter of another name.
bool is_compatible(const Argument& argument, const TableParameter& parameter) {
  if (argument.is_null()) return parameter.is_pointer;
  return argument.is_array() == parameter.is_pointer && (!argument.type || argument.type == parameter.type);
}

bool is_size(const KernelPlan& plan, const std::string& name) {
  return std::any_of(plan.sizes.begin(), plan.sizes.end(), [&](const Size& size) { return size.name == name; });
}

std::vector<std::string> names_in(const TableFunction& function) {
  std::vector<std::string> names;
  for (const TableParameter& parameter : function.parameters) names.push_back(parameter.name);
  return names;
}

[[noreturn]] void refuse_missing(const TableFunction& function, const std::string& name,
                                 const std::vector<Argument>& left) {
  std::string hint;
  for (const Argument& argument : left) {
    if (!takes(function, argument.name)) hint += fmt::format("\n  '{}' is not a parameter of it", argument.name);
  }
  throw Error(ErrorCode::bad_argument, fmt::format("no --arg for '{}' of\n  {}{}", name, function.text(), hint));
}

}  // namespace

std::vector<Argument> bind_arguments(const TableFunction& function, const KernelPlan& plan) {
  std::vector<Argument> left;  // without a parameter of their name
  for (const Argument& argument : plan.arguments) {
    if (!takes(function, argument.name)) left.push_back(argument);
  }
  std::vector<std::string> sizes_left;  // the same
  for (const Size& size : plan.sizes) {
    if (!takes(function, size.name)) sizes_left.push_back(size.name);
  }
  std::vector<Argument> result;
  for (const TableParameter& parameter : function.parameters) {
    if (!parameter.type)
      throw Error(ErrorCode::bad_argument, fmt::format("'{}' of {} has {}, which --arg cannot describe", parameter.name,
                                                       function.text(), parameter.text()));
    const bool is_whole = !parameter.is_pointer && !is_float(*parameter.type);
    if (const Argument* named = find(plan.arguments, parameter.name)) {
      result.push_back(*named);
    } else if (!parameter.is_pointer && is_size(plan, parameter.name)) {
      result.push_back(scalar_argument(parameter.name, parameter.name));
    } else if (is_whole && !sizes_left.empty()) {
      result.push_back(scalar_argument(sizes_left.front(), sizes_left.front()));
      sizes_left.erase(sizes_left.begin());
    } else if (!left.empty() && is_compatible(left.front(), parameter)) {
      result.push_back(left.front());
      left.erase(left.begin());
    } else {
      refuse_missing(function, parameter.name, left);
    }
    const Argument& argument = result.back();
    if (argument.is_array() != parameter.is_pointer && !(argument.is_null() && parameter.is_pointer))
      throw Error(ErrorCode::bad_argument,
                  fmt::format("argument '{}': {} takes {}, and {} was given", argument.name, function.text(),
                              parameter.text(), argument.is_array() ? "an array" : "a scalar"));
  }
  return result;
}

Use use_of(const Argument& argument, const std::vector<TableFunction>& functions, const KernelPlan& plan) {
  bool is_taken = false, is_written = false;
  std::vector<std::string> known;
  for (const TableFunction& function : functions) {
    const std::vector<Argument> bound = bind_arguments(function, plan);
    for (std::size_t i = 0; i < bound.size(); ++i) {
      if (bound[i].name != argument.name) continue;
      is_taken = true;
      is_written = is_written || !function.parameters[i].is_const;
    }
    for (const std::string& name : names_in(function)) {
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    }
  }
  if (!is_taken)
    throw Error(ErrorCode::bad_argument, "--arg: " + base::unknown_name("parameter", argument.name, known));
  if (argument.fill.kind == FillRule::Kind::scratch) {
    if (is_written) return Use::scratch;
    throw Error(ErrorCode::bad_argument, fmt::format("argument '{}': no function may write this scratch array, because "
                                                     "all take it const",
                                                     argument.name));
  }
  const bool is_filled = argument.fill.kind != FillRule::Kind::none;
  if (!is_written && !is_filled) {
    throw Error(
        ErrorCode::bad_argument,
        fmt::format("argument '{0}' is only read and has no fill: {0}=TYPE[SHAPE]:random, arange, a number or a "
                    ".npy file",
                    argument.name));
  }
  return !is_written ? Use::input : is_filled ? Use::in_out : Use::output;
}

void require_fit(const Array& array, const TableParameter& parameter, const TableFunction& function) {
  const bool is_bytes = parameter.type == ElementType::u8 && parameter.bytes == 1;  // void* takes any array
  if (array.type != parameter.type && !is_bytes) {
    throw Error(ErrorCode::bad_argument, fmt::format("argument '{}': {} takes {}, but {} was given", array.name,
                                                     function.text(), parameter.text(), name(array.type)));
  }
  if (array.size() % parameter.components != 0) {
    throw Error(ErrorCode::bad_argument, fmt::format("argument '{}': {} values are not a multiple of {}, for {}",
                                                     array.name, array.size(), parameter.components, parameter.text()));
  }
}

}  // namespace rafter::bench
