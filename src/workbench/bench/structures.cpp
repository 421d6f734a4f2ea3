// Structures that kernels take by value, described member by member.
#include <fmt/format.h>

#include <algorithm>

#include "workbench/bench/arguments.hpp"
#include "workbench/bench/refuse.hpp"

namespace rafter::bench {

namespace {

/// Splits a list at the commas outside of brackets.
std::vector<std::string> split_members(const std::string& list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : list) {
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else if (c != ' ') {
      parts.back() += c;
    }
  }
  return parts;
}

/// TYPE:VALUE, TYPE[N]:VALUE, struct{...}, the name of an array, or null.
Argument parse_member(const std::string& structure, const std::string& text) {
  if (text == "null" || text == "nullptr" || text.find(':') != std::string::npos || text.starts_with("struct{")) {
    const Argument member = parse_argument(structure + "=" + text);
    const bool has_value = !member.is_array() || member.fill.kind == FillRule::Kind::constant ||
                           member.fill.kind == FillRule::Kind::arange;
    if (!has_value) refuse("the member '{}' has no value: TYPE:VALUE, TYPE[N]:VALUE or TYPE[N]:arange", text);
    return member;
  }
  const bool is_name = !text.empty() && text.find_first_of("+-*/()[]{}. ") == std::string::npos &&
                       std::isdigit(static_cast<unsigned char>(text[0])) == 0;
  if (!is_name)
    refuse("the member '{}' has no type: expected TYPE:VALUE such as i32:n, or the name of an array of --arg", text);
  return {.name = text, .kind = Argument::Kind::array};
}

void append(Value& whole, const Value& part) {
  whole.alignment = std::max(whole.alignment, part.alignment);
  whole.bytes.resize((whole.bytes.size() + part.alignment - 1) / part.alignment * part.alignment);
  for (const Value::Pointer& pointer : part.pointers)
    whole.pointers.push_back({whole.bytes.size() + pointer.at, pointer.array});
  whole.bytes.insert(whole.bytes.end(), part.bytes.begin(), part.bytes.end());
}

Value number(const Argument& member, const base::Names& sizes) {
  const ElementType type = member.type.value_or(ElementType::f32);
  return {.bytes = evaluate_scalar(member, type, sizes), .alignment = static_cast<std::size_t>(bytes_of(type))};
}

Value evaluate_member(const Argument& member, const base::Names& sizes) {
  if (member.kind == Argument::Kind::structure) return evaluate_structure(member, sizes);
  if (member.is_null()) return {.bytes = std::vector<std::byte>(sizeof(void*)), .alignment = sizeof(void*)};
  if (!member.is_array()) return number(member, sizes);
  if (!member.type)
    return {.bytes = std::vector<std::byte>(sizeof(void*)), .pointers = {{0, member.name}}, .alignment = sizeof(void*)};
  Value all;
  const Array shape = evaluate_array(member, sizes);
  for (std::int64_t i = 0; i < shape.size(); ++i) {
    Argument element{.name = member.name, .type = member.type, .fill = member.fill};
    if (shape.fill.kind == Fill::Kind::arange)
      element.fill = {.kind = FillRule::Kind::constant, .operands = {base::Expression(std::to_string(i))}};
    append(all, number(element, sizes));
  }
  return all;
}

}  // namespace

Argument parse_structure(const std::string& name, const std::string& text) {
  if (!text.ends_with("}")) refuse("'{}' has no closing brace", text);
  const std::string prefix = "struct{";
  Argument argument{.name = name, .kind = Argument::Kind::structure};
  for (const std::string& member : split_members(text.substr(prefix.size(), text.size() - prefix.size() - 1)))
    argument.members.push_back(parse_member(name, member));
  return argument;
}

Value evaluate_structure(const Argument& argument, const base::Names& sizes) {
  Value whole;
  for (const Argument& member : argument.members) append(whole, evaluate_member(member, sizes));
  whole.bytes.resize((whole.bytes.size() + whole.alignment - 1) / whole.alignment * whole.alignment);
  return whole;
}

}  // namespace rafter::bench
