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

/// Whether the parameter is a structure by value, or a vector such as float4.
bool is_structure(const TableParameter& parameter) {
  return !parameter.is_pointer && (!parameter.type || parameter.components > 1);
}

/// Whether an argument is of the parameter's kind: a pointer, a structure, whose bytes may come from a file, or a
/// number.
bool is_of_kind(const Argument& argument, const TableParameter& parameter) {
  if (argument.is_null()) return parameter.is_pointer;
  if (parameter.is_pointer) return argument.is_array();
  if (!is_structure(parameter)) return argument.kind == Argument::Kind::scalar;
  return argument.kind == Argument::Kind::structure ||
         (argument.is_array() && argument.fill.kind == FillRule::Kind::file);
}

/// Whether an argument may be passed for a parameter of another name.
bool is_compatible(const Argument& argument, const TableParameter& parameter) {
  const bool is_typed = argument.type && parameter.type && !is_structure(parameter);
  return is_of_kind(argument, parameter) && (!is_typed || argument.type == parameter.type);
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

const char* kind_of(const Argument& argument) {
  if (argument.is_array()) return "an array";
  return argument.kind == Argument::Kind::structure ? "a structure" : argument.is_null() ? "null" : "a scalar";
}

void require_kind(const Argument& argument, const TableParameter& parameter, const TableFunction& function) {
  if (is_of_kind(argument, parameter)) return;
  const std::string hint = is_structure(parameter)
                               ? fmt::format(
                                     "; describe it member by member, --arg '{}=struct{{i32:n,f32:0.5}}', or by a "
                                     ".npy file of its {} bytes",
                                     parameter.name, parameter.bytes)
                               : "";
  throw Error(ErrorCode::bad_argument,
              fmt::format("argument '{}': {} takes {} for '{}', and {} was given{}", argument.name, function.text(),
                          parameter.text(), parameter.name, kind_of(argument), hint));
}

/// Finds arguments for the parameters of a function by name, then by type.
std::vector<Operand> match_by_name(const TableFunction& function, const KernelPlan& plan) {
  std::vector<Argument> left;  // without a parameter of their name
  for (const Argument& argument : plan.arguments) {
    if (!takes(function, argument.name)) left.push_back(argument);
  }
  std::vector<std::string> sizes_left;  // the same
  for (const Size& size : plan.sizes) {
    if (!takes(function, size.name)) sizes_left.push_back(size.name);
  }
  std::vector<Operand> result;
  for (const TableParameter& parameter : function.parameters) {
    const bool is_number = !parameter.is_pointer && !is_structure(parameter);
    const auto compatible =
        std::find_if(left.begin(), left.end(), [&](const Argument& one) { return is_compatible(one, parameter); });
    if (const Argument* named = find(plan.arguments, parameter.name)) {
      result.push_back({*named});
    } else if (is_number && is_size(plan, parameter.name)) {
      result.push_back({scalar_argument(parameter.name, parameter.name)});
    } else if (is_number && !is_float(*parameter.type) && !sizes_left.empty()) {
      result.push_back({scalar_argument(sizes_left.front(), sizes_left.front())});
      sizes_left.erase(sizes_left.begin());
    } else if (compatible != left.end() && (compatible == left.begin() || is_structure(parameter))) {
      result.push_back({*compatible});
      left.erase(compatible);
    } else {
      refuse_missing(function, parameter.name, left);
    }
  }
  return result;
}

/// Whether a value has a pointer to the array.
bool points_to(const Argument& value, const std::string& array) {
  return std::any_of(value.members.begin(), value.members.end(), [&](const Argument& member) {
    return (member.is_array() && !member.type && member.name == array) || points_to(member, array);
  });
}

}  // namespace

MatchedCall match_arguments(const TableFunction& function, const Call& call, const KernelPlan& plan) {
  MatchedCall matched{&function, call.operands ? *call.operands : match_by_name(function, plan)};
  if (matched.operands.size() != function.parameters.size())
    throw Error(ErrorCode::bad_argument, fmt::format("--call {}: {} arguments are given for\n  {}", call.function,
                                                     matched.operands.size(), function.text()));
  for (std::size_t i = 0; i < matched.operands.size(); ++i) {
    const TableParameter& parameter = function.parameters[i];
    if (parameter.is_pointer && parameter.bytes == 0)
      throw Error(ErrorCode::bad_argument,
                  fmt::format("'{}' of {} is a pointer to pointers, which --arg cannot describe", parameter.name,
                              function.text()));
    require_kind(matched.operands[i].argument, parameter, function);
  }
  return matched;
}

std::vector<MatchedCall> match_all(const Library& library, const KernelPlan& plan) {
  std::vector<std::string> names = plan.rungs();
  names.insert(names.end(), plan.reference_functions.begin(), plan.reference_functions.end());
  std::vector<MatchedCall> all;
  for (const std::string& name : names) {
    for (const Call& call : plan.calls_of(name))
      all.push_back(match_arguments(library.called(call.function), call, plan));
  }
  return all;
}

Use use_of(const Argument& argument, const std::vector<MatchedCall>& calls) {
  bool is_taken = false, is_written = false;
  std::vector<std::string> known;
  for (const MatchedCall& call : calls) {
    const TableFunction& function = *call.function;
    for (std::size_t i = 0; i < call.operands.size(); ++i) {
      const Argument& bound = call.operands[i].argument;
      if (bound.name == argument.name) {
        is_taken = true;
        is_written = is_written || (function.parameters[i].is_pointer && !function.parameters[i].is_const);
      } else if (points_to(bound, argument.name)) {
        is_taken = is_written = true;  // a member's type is unknown
      }
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

bool is_pointed_to(const Argument& argument, const std::vector<MatchedCall>& calls) {
  return std::any_of(calls.begin(), calls.end(), [&](const MatchedCall& call) {
    for (std::size_t i = 0; i < call.operands.size(); ++i) {
      const Argument& bound = call.operands[i].argument;
      const bool is_address = call.function->parameters[i].is_pointer && bound.name == argument.name;
      if (is_address || points_to(bound, argument.name)) return true;
    }
    return false;
  });
}

bool is_converted(const Array& array, const TableParameter& parameter) {
  return parameter.type && array.type != *parameter.type && is_float(array.type) && is_float(*parameter.type);
}

void require_fit(const Array& array, const TableParameter& parameter, const TableFunction& function,
                 bool is_reference) {
  const bool is_bytes = parameter.type == ElementType::u8 && parameter.bytes == 1;  // void* takes any array
  const bool is_structures = !parameter.type;                                       // so do pointers to structures
  const bool fits =
      array.type == parameter.type || is_bytes || is_structures || (is_reference && is_converted(array, parameter));
  if (!fits) {
    throw Error(ErrorCode::bad_argument, fmt::format("argument '{}': {} takes {}, but {} was given", array.name,
                                                     function.text(), parameter.text(), name(array.type)));
  }
  if (is_structures && array.bytes() % parameter.bytes != 0) {
    throw Error(ErrorCode::bad_argument,
                fmt::format("argument '{}': {} bytes are not a multiple of {}, the bytes of an "
                            "element that {} takes for '{}'",
                            array.name, array.bytes(), parameter.bytes, function.text(), parameter.name));
  }
  if (!is_structures && array.size() % parameter.components != 0) {
    throw Error(ErrorCode::bad_argument, fmt::format("argument '{}': {} values are not a multiple of {}, for {}",
                                                     array.name, array.size(), parameter.components, parameter.text()));
  }
}

Value evaluate_value(const Argument& argument, const TableParameter& parameter, const base::Names& sizes,
                     bool is_reference) {
  if (argument.is_null()) return {.bytes = std::vector<std::byte>(sizeof(void*))};
  if (argument.kind == Argument::Kind::scalar) {
    const bool is_rounded = is_reference && argument.type && argument.type != parameter.type &&
                            is_float(*argument.type) && is_float(*parameter.type);
    if (!is_rounded) return {.bytes = evaluate_scalar(argument, *parameter.type, sizes)};
    return {.bytes = convert_floats(evaluate_scalar(argument, *argument.type, sizes), *argument.type, *parameter.type)};
  }
  const Value value = argument.kind == Argument::Kind::structure
                          ? evaluate_structure(argument, sizes)
                          : Value{.bytes = filled_bytes(evaluate_array(argument, sizes), 0)};
  if (value.bytes.size() != static_cast<std::size_t>(parameter.bytes))
    throw Error(ErrorCode::bad_argument,
                fmt::format("argument '{}' has {} bytes, and '{}' has {}: its members with their padding must be those "
                            "of the structure",
                            argument.name, value.bytes.size(), parameter.name, parameter.bytes));
  return value;
}

HostBytes evaluate_symbol(const Argument& argument, const TableSymbol& symbol, const base::Names& sizes,
                          std::uint64_t seed) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::bad_argument, fmt::format("--symbol {}: {}", symbol.name, why));
  };
  HostBytes bytes;
  if (argument.is_array()) {
    const Array array = evaluate_array(argument, sizes);
    if (argument.fill.kind == FillRule::Kind::none || argument.fill.kind == FillRule::Kind::scratch)
      refuse("it has no value: random, arange, a number or a .npy file");
    if (symbol.element.type && array.type != *symbol.element.type)
      refuse(fmt::format("it has elements of type {}, but {} was given", name(*symbol.element.type), name(array.type)));
    bytes = filled_bytes(array, seed);
  } else if (argument.kind == Argument::Kind::scalar && symbol.element.type && !symbol.element.is_pointer) {
    bytes = evaluate_scalar(argument, *symbol.element.type, sizes);
  } else if (argument.kind == Argument::Kind::structure) {
    const Value value = evaluate_structure(argument, sizes);
    if (!value.pointers.empty()) refuse("a variable cannot point to an array, which has another address in each call");
    bytes = value.bytes;
  } else {
    refuse("it is neither a number nor an array: describe it as struct{TYPE:VALUE,...}");
  }
  if (static_cast<std::int64_t>(bytes.size()) != symbol.bytes)
    refuse(fmt::format("it has {} bytes, and {} were given", symbol.bytes, bytes.size()));
  return bytes;
}

}  // namespace rafter::bench
