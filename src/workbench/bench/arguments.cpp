#include "workbench/bench/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "rafter/error.hpp"
#include "rafter/half.hpp"

namespace rafter::bench {

namespace {

template <class... Args>
[[noreturn]] void refuse_argument(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::bad_argument, fmt::format(text, std::forward<Args>(args)...));
}

/// Calls `work` and adds the argument's name to the message of an Error (bad_argument).
template <class Work>
auto naming(const std::string& name, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_argument) throw;
    refuse_argument("argument '{}': {}", name, error.what());
  }
}

bool is_file(const std::string& text) { return text.ends_with(".npy"); }

// ---- parsing ----

/// Parses random, random(SEED), or uniform(LOW,HIGH), which may also be written random(LOW,HIGH).
FillRule parse_random(const std::string& text) {
  FillRule rule{.kind = FillRule::Kind::random};
  if (text == "random") return rule;
  const std::size_t open = text.find('(');
  if (open != std::string::npos && text.ends_with(")")) {
    for (const std::string& part : base::split_list(std::string_view(text).substr(open + 1, text.size() - open - 2)))
      rule.operands.emplace_back(part);
  }
  const std::string word = text.substr(0, open);
  const bool is_seed = word == "random" && rule.operands.size() == 1;
  const bool is_range = (word == "random" || word == "uniform") && rule.operands.size() == 2;
  if (!is_seed && !is_range) refuse_argument("'{}': expected random, random(SEED) or uniform(LOW,HIGH)", text);
  return rule;
}

FillRule parse_fill(const std::string& text) {
  using Kind = FillRule::Kind;
  if (text.empty()) return {};
  if (text == "arange") return {.kind = Kind::arange};
  if (text == "nan") return {.kind = Kind::nan};
  if (text == "scratch") return {.kind = Kind::scratch};
  if (text.starts_with("random") || text.starts_with("uniform")) return parse_random(text);
  if (is_file(text)) return {.kind = Kind::file, .file = text};
  return {.kind = Kind::constant, .operands = {base::Expression(text)}};
}

std::vector<base::Expression> parse_shape(const std::string& list) {
  std::vector<base::Expression> shape;
  for (const std::string& extent : base::split_list(list)) shape.emplace_back(extent);
  return shape;
}

/// Parses TYPE[SHAPE]:FILL, or a file or a scalar's value without a type.
Argument parse_description(const std::string& name, const std::string& text) {
  Argument argument{.name = name};
  if (text == "null" || text == "nullptr") {
    argument.kind = Argument::Kind::null;
    return argument;
  }
  if (text.starts_with("struct{")) return parse_structure(name, text);
  const std::size_t end = std::min(text.find_first_of("[:"), text.size());
  argument.type = element_type_called(text.substr(0, end));
  if (!argument.type) {
    if (end < text.size() && !is_file(text)) {
      std::vector<std::string_view> known;
      for (const ElementTypeEntry& entry : element_types) known.push_back(entry.name);
      refuse_argument("'{}' is not a type ({})", text.substr(0, end), fmt::join(known, ", "));
    }
    return is_file(text) ? Argument{.name = name, .kind = Argument::Kind::array, .fill = parse_fill(text)}
                         : scalar_argument(name, text);
  }
  std::size_t at = end;
  if (at < text.size() && text[at] == '[') {
    const std::size_t close = text.find(']', at);
    if (close == std::string::npos) refuse_argument("the shape in '{}' has no closing bracket", text);
    argument.kind = Argument::Kind::array;
    argument.shape = parse_shape(text.substr(at + 1, close - at - 1));
    at = close + 1;
  }
  if (at < text.size() && text[at] != ':') refuse_argument("unexpected '{}' after the type", text.substr(at));
  const std::string fill = at < text.size() ? text.substr(at + 1) : "";
  if (argument.is_array() || is_file(fill)) {
    argument.kind = Argument::Kind::array;
    argument.fill = parse_fill(fill);
    return argument;
  }
  if (fill.empty()) refuse_argument("a scalar needs a value, as in {}={}:1000", name, bench::name(*argument.type));
  argument.fill = {.kind = FillRule::Kind::constant, .operands = {base::Expression(fill)}};
  return argument;
}

// ---- evaluating ----

Fill evaluate_fill(const FillRule& rule, const base::Names& sizes) {
  switch (rule.kind) {
    case FillRule::Kind::none:
    case FillRule::Kind::scratch: return {};
    case FillRule::Kind::arange: return {.kind = Fill::Kind::arange};
    case FillRule::Kind::nan: return {.kind = Fill::Kind::constant, .value = std::nan("")};
    case FillRule::Kind::file: return {.kind = Fill::Kind::file, .file = rule.file};
    case FillRule::Kind::constant:
      return {.kind = Fill::Kind::constant, .value = rule.operands.front().evaluate(sizes)};
    case FillRule::Kind::random: break;
  }
  Fill fill{.kind = Fill::Kind::random};
  if (rule.operands.size() == 1) {
    fill.has_seed = true;
    fill.seed = static_cast<std::uint64_t>(rule.operands[0].evaluate_integer(sizes));
  } else if (rule.operands.size() == 2) {
    fill.low = rule.operands[0].evaluate(sizes);
    fill.high = rule.operands[1].evaluate(sizes);
    if (!(fill.low < fill.high))
      refuse_argument("'uniform({},{})': the range is empty", rule.operands[0].text(), rule.operands[1].text());
  }
  return fill;
}

/// Returns f32 for "<f4", and nothing for a type that no argument has.
std::optional<ElementType> type_of_npy(const std::string& descriptor) {
  if (descriptor == "|b1") return ElementType::boolean;
  if (descriptor.size() != 3 || descriptor[0] == '>') return std::nullopt;
  return element_type_called(fmt::format("{}{}", descriptor[1], 8 * (descriptor[2] - '0')));
}

/// Takes type and shape from the file if the argument does not have them, and compares them otherwise.
void read_header(const Argument& argument, Array& array) {
  const base::NpyFile file(array.fill.file);
  const std::optional<ElementType> held = type_of_npy(file.type());
  if (!argument.type && held) array.type = *held;
  if (array.shape.empty()) array.shape = file.shape();
  require_content(file, array);
}

template <class T>
std::vector<std::byte> object_bytes(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::vector<std::byte> scalar_bytes(const Argument& argument, ElementType type, const base::Names& sizes) {
  if (argument.type && *argument.type != type)
    refuse_argument("the kernel takes {}, but {} was given", name(type), name(*argument.type));
  const double value = argument.fill.operands.front().evaluate(sizes);
  if (type == ElementType::f64) return object_bytes(value);
  if (type == ElementType::f32) return object_bytes(static_cast<float>(value));
  if (type == ElementType::f16) return object_bytes(Half(static_cast<float>(value)));
  if (type == ElementType::bf16) return object_bytes(Bfloat16(static_cast<float>(value)));
  if (std::floor(value) != value)
    refuse_argument("{} is not a whole number, and the kernel takes {}", value, name(type));
  const int bits = type == ElementType::boolean ? 1 : static_cast<int>(8 * bytes_of(type));
  const int sign = is_signed_integer(type) ? 1 : 0;
  if (value < -sign * std::ldexp(1., bits - sign) || value >= std::ldexp(1., bits - sign))
    refuse_argument("{} does not fit into {}", value, name(type));
  std::vector<std::byte> bytes = type == ElementType::u64 ? object_bytes(static_cast<std::uint64_t>(value))
                                                          : object_bytes(static_cast<std::int64_t>(value));
  bytes.resize(static_cast<std::size_t>(bytes_of(type)));  // little endian: the low bytes come first
  return bytes;
}

}  // namespace

std::int64_t Array::size() const {
  std::int64_t n = 1;
  for (const std::int64_t extent : shape) n *= extent;
  return n;
}

Argument scalar_argument(const std::string& name, const std::string& expression) {
  return {.name = name, .fill = {.kind = FillRule::Kind::constant, .operands = {base::Expression(expression)}}};
}

Argument parse_argument(const std::string& text, const char* option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Error(
        ErrorCode::bad_argument,
        fmt::format("{} {}: expected NAME=TYPE[SHAPE]:FILL, such as in=f32[n]:random or n=i32:n", option, text));
  const std::string name = text.substr(0, equals);
  return naming(name, [&] { return parse_description(name, text.substr(equals + 1)); });
}

Array evaluate_array(const Argument& argument, const base::Names& sizes) {
  Array array{.name = argument.name, .type = argument.type.value_or(ElementType::f32)};
  double bytes = static_cast<double>(bytes_of(array.type));
  naming(argument.name, [&] {
    for (const base::Expression& extent : argument.shape) {
      array.shape.push_back(extent.evaluate_integer(sizes));
      if (array.shape.back() < 0) refuse_argument("'{}' is negative", extent.text());
      bytes *= static_cast<double>(array.shape.back());
    }
    if (bytes > 1e15) refuse_argument("{:g} bytes are larger than any memory", bytes);
    array.fill = evaluate_fill(argument.fill, sizes);
  });
  if (array.fill.kind == Fill::Kind::file) naming(argument.name, [&] { read_header(argument, array); });
  return array;
}

void require_content(const base::NpyFile& file, const Array& array) {
  const std::optional<ElementType> held = type_of_npy(file.type());
  // NumPy has no bfloat16: other packages save it as elements of two bytes.
  const bool is_type = held == array.type || (array.type == ElementType::bf16 && file.type().ends_with("V2"));
  std::int64_t n = 1;
  for (const std::int64_t extent : file.shape()) n *= extent;
  if (!is_type || n != array.size()) {
    file.refuse(fmt::format("holds {}{}; expected {}[{}] for '{}'", held ? std::string(name(*held)) : file.type(),
                            base::show_shape(file.shape()), name(array.type), fmt::join(array.shape, ","), array.name));
  }
  file.n_values(bytes_of(array.type));
}

std::vector<std::byte> evaluate_scalar(const Argument& argument, ElementType type, const base::Names& sizes) {
  return naming(argument.name, [&] { return scalar_bytes(argument, type, sizes); });
}

}  // namespace rafter::bench
