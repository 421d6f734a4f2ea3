#include "workbench/bench/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/npy.hpp"
#include "rafter/error.hpp"
#include "rafter/half.hpp"

namespace rafter::bench {

namespace {

constexpr const char* known_types = "bool, f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64";

template <class... Args>
[[noreturn]] void refuse(const std::string& name, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::bad_argument,
              fmt::format("argument '{}': {}", name, fmt::format(text, std::forward<Args>(args)...)));
}

bool is_file(const std::string& text) { return text.ends_with(".npy"); }

double number_in(const Argument& argument, const std::string& text, const base::Names& names) {
  try {
    return base::evaluate(text, names);
  } catch (const Error& error) {
    refuse(argument.name, "{}", error.what());
  }
}

std::int64_t whole_in(const Argument& argument, const std::string& text, const base::Names& names) {
  try {
    return base::evaluate_integer(text, names);
  } catch (const Error& error) {
    refuse(argument.name, "{}", error.what());
  }
}

Fill random_fill(const Argument& argument, const base::Names& names) {
  Fill fill{.kind = Fill::Kind::random};
  if (argument.fill == "random") return fill;
  if (!argument.fill.starts_with("random(") || !argument.fill.ends_with(")"))
    refuse(argument.name, "'{}': expected random, random(SEED) or random(LOW,HIGH)", argument.fill);
  const auto parts = base::split_list(std::string_view(argument.fill).substr(7, argument.fill.size() - 8));
  if (parts.size() == 1) {
    fill.has_seed = true;
    fill.seed = static_cast<std::uint64_t>(whole_in(argument, parts[0], names));
  } else if (parts.size() == 2) {
    fill.low = number_in(argument, parts[0], names);
    fill.high = number_in(argument, parts[1], names);
    if (!(fill.low < fill.high)) refuse(argument.name, "'{}': the range is empty", argument.fill);
  } else {
    refuse(argument.name, "'{}': expected random, random(SEED) or random(LOW,HIGH)", argument.fill);
  }
  return fill;
}

Fill fill_of(const Argument& argument, const base::Names& names) {
  if (argument.fill.empty()) return {};
  if (argument.fill == "arange") return {.kind = Fill::Kind::arange};
  if (argument.fill.starts_with("random")) return random_fill(argument, names);
  if (is_file(argument.fill)) return {.kind = Fill::Kind::file, .file = argument.fill};
  if (argument.fill == "nan") return {.kind = Fill::Kind::constant, .value = std::nan("")};
  return {.kind = Fill::Kind::constant, .value = number_in(argument, argument.fill, names)};
}

/// "<f4" is f32.
std::string type_of_npy(const std::string& descriptor) {
  if (descriptor == "|b1") return "bool";
  if (descriptor.size() != 3 || descriptor[0] == '>') return "";
  return fmt::format("{}{}", descriptor[1], 8 * (descriptor[2] - '0'));
}

void read_header(const Argument& argument, Array& array) {
  const base::NpyFile file(array.fill.file);
  const std::string held = type_of_npy(file.type());
  if (array.type.empty()) array.type = held;
  if (array.shape.empty()) array.shape = file.shape();
  std::int64_t n = 1;
  for (const std::int64_t extent : file.shape()) n *= extent;
  if (held != array.type || n != array.size()) {
    refuse(argument.name, "{}[{}] is expected, and '{}' holds {}{}", array.type, fmt::join(array.shape, ","),
           array.fill.file.string(), held.empty() ? file.type() : held, base::show_shape(file.shape()));
  }
}

template <class T>
std::vector<std::byte> bytes_of(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace

std::int64_t type_bytes(const std::string& type) {
  if (type == "bool") return 1;
  if (type == "bf16") return 2;
  for (const char* known : {"f16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"}) {
    if (type == known) return std::stoi(type.substr(1)) / 8;
  }
  return 0;
}

bool is_float(const std::string& type) { return type == "bf16" || type.starts_with('f'); }

std::int64_t Array::size() const {
  std::int64_t n = 1;
  for (const std::int64_t extent : shape) n *= extent;
  return n;
}

std::int64_t Array::bytes() const { return size() * type_bytes(type); }

Argument parse_argument(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Error(ErrorCode::bad_argument,
                fmt::format("--arg {}: expected NAME=TYPE[SHAPE]:FILL, such as in=f32[n]:random or n=i32:n", text));
  Argument argument{.name = text.substr(0, equals)};
  const std::string what = text.substr(equals + 1);
  if (what == "null" || what == "nullptr") {
    argument.is_null = true;
    return argument;
  }
  const std::size_t end = std::min(what.find_first_of("[:"), what.size());
  const std::string type = what.substr(0, end);
  if (type_bytes(type) == 0) {
    if (what.find_first_of("[:") != std::string::npos && !is_file(what))
      refuse(argument.name, "'{}' is no type ({})", type, known_types);
    argument.is_array = is_file(what);
    argument.fill = what;
    return argument;
  }
  argument.type = type;
  std::size_t at = end;
  if (at < what.size() && what[at] == '[') {
    const std::size_t close = what.find(']', at);
    if (close == std::string::npos) refuse(argument.name, "the shape in '{}' does not end", what);
    argument.is_array = true;
    argument.shape = base::split_list(std::string_view(what).substr(at + 1, close - at - 1));
    at = close + 1;
  }
  if (at < what.size() && what[at] != ':') refuse(argument.name, "'{}' after the type", what.substr(at));
  if (at < what.size()) argument.fill = what.substr(at + 1);
  if (!argument.is_array && is_file(argument.fill)) argument.is_array = true;
  if (!argument.is_array && argument.fill.empty())
    refuse(argument.name, "a single value needs one, as in {}={}:1000", argument.name, type);
  return argument;
}

Array array_of(const Argument& argument, const base::Names& names) {
  Array array{.name = argument.name, .type = argument.type};
  double bytes = static_cast<double>(type_bytes(argument.type));
  for (const std::string& extent : argument.shape) {
    array.shape.push_back(whole_in(argument, extent, names));
    if (array.shape.back() < 0) refuse(argument.name, "'{}' is negative", extent);
    bytes *= static_cast<double>(array.shape.back());
  }
  if (bytes > 1e15) refuse(argument.name, "{:g} bytes are larger than any memory", bytes);
  array.fill = fill_of(argument, names);
  if (array.fill.kind == Fill::Kind::file) read_header(argument, array);
  return array;
}

std::vector<std::byte> scalar_of(const Argument& argument, const std::string& type, const base::Names& names) {
  if (!argument.type.empty() && argument.type != type)
    refuse(argument.name, "the kernel takes {}, but {} was given", type, argument.type);
  const double value = number_in(argument, argument.fill, names);
  if (type == "f64") return bytes_of(value);
  if (type == "f32") return bytes_of(static_cast<float>(value));
  if (type == "f16") return bytes_of(Half(static_cast<float>(value)));
  if (type == "bf16") return bytes_of(Bfloat16(static_cast<float>(value)));
  if (std::floor(value) != value) refuse(argument.name, "{} is no whole number, and the kernel takes {}", value, type);
  const int bits = type == "bool" ? 1 : static_cast<int>(8 * type_bytes(type)), sign = type[0] == 'i' ? 1 : 0;
  if (value < -sign * std::ldexp(1., bits - sign) || value >= std::ldexp(1., bits - sign))
    refuse(argument.name, "{} does not fit into {}", value, type);
  std::vector<std::byte> bytes =
      type == "u64" ? bytes_of(static_cast<std::uint64_t>(value)) : bytes_of(static_cast<std::int64_t>(value));
  bytes.resize(static_cast<std::size_t>(type_bytes(type)));  // little endian: the low bytes come first
  return bytes;
}

}  // namespace rafter::bench
