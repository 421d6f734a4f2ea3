#include "executor/runtime/bare/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "executor/engine/async/matrix.hpp"
#include "executor/runtime/bare/npy.hpp"

namespace rafter::simt {

std::size_t scalar_bytes(const std::string& type) {
  if (type == "bool") return 1;
  for (const char* known : {"f16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"}) {
    if (type == known) return static_cast<std::size_t>(std::atoi(known + 1)) / 8;
  }
  return type == "bf16" ? 2 : 0;
}

namespace {

std::uint16_t bfloat_bits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, 4);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// Writes a number as an element of that type.
template <class Number>
void store(const std::string& type, Number number, char* at) {
  const auto put = [&](auto value) { std::memcpy(at, &value, sizeof value); };
  if (type == "f64")
    put(static_cast<double>(number));
  else if (type == "f32")
    put(static_cast<float>(number));
  else if (type == "f16")
    put(half_bits(static_cast<float>(number)));
  else if (type == "bf16")
    put(bfloat_bits(static_cast<float>(number)));
  else if (type == "bool")
    put(static_cast<bool>(number));
  else if (type == "u64")
    put(static_cast<std::uint64_t>(number));
  else {
    const std::int64_t value = static_cast<std::int64_t>(number);  // little endian: the low bytes come first
    std::memcpy(at, &value, scalar_bytes(type));
  }
}

/// Writes a number, given as text, as an element of that type. Returns an error message, or nothing.
std::string store_typed(const std::string& type, const std::string& text, char* at) {
  char* end = nullptr;
  const long double number = std::strtold(text.c_str(), &end);  // represents every 64-bit integer
  if (end == text.c_str() || *end != '\0')
    return "'" + text +
           "' is not a fill; expected random, random(SEED), uniform(LOW,HIGH), arange, a number or a .npy file";
  if (type[0] == 'f' || type == "bf16") {
    const double largest = type == "f16" ? 65504 : type == "f64" ? 1.7976931348623157e308 : 3.4028234663852886e38;
    if (std::isfinite(number) && std::fabs(number) > static_cast<long double>(largest))
      return text + " is too large for " + type;
    store(type, static_cast<double>(number), at);
    return "";
  }
  const int bits = type == "bool" ? 1 : static_cast<int>(8 * scalar_bytes(type)), sign = type[0] == 'i' ? 1 : 0;
  const long double end_of_type = std::ldexp(1.0L, bits - sign);
  if (std::floor(number) != number) return text + " is not a whole number, and the kernel takes " + type;
  if (number < -sign * end_of_type || number >= end_of_type) return text + " does not fit into " + type;
  type == "u64" ? store(type, static_cast<std::uint64_t>(number), at)
                : store(type, static_cast<std::int64_t>(number), at);
  return "";
}

/// Returns the next number of splitmix64, which is the same on every machine.
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Whether the fill is uniform(LOW,HIGH), which may also be written random(LOW,HIGH), as for `rafter bench`.
bool is_range(const std::string& how) {
  const bool is_random = how.compare(0, 7, "random(") == 0 && how.find(',') != std::string::npos;
  return (is_random || how.compare(0, 8, "uniform(") == 0) && how.back() == ')';
}

/// Fills with numbers from LOW to HIGH; whole numbers include HIGH.
void fill_uniform(BareArgument& argument, const std::string& parameter) {
  const std::string& how = argument.fill;
  const char* const range = how.c_str() + how.find('(') + 1;
  char* end = nullptr;
  const double low = std::strtod(range, &end);
  const bool has_low = end != range && *end == ',';
  const char* const second = has_low ? end + 1 : range;
  const double high = std::strtod(second, &end);
  if (!has_low || end == second || std::strcmp(end, ")") != 0 || !(low < high) || !std::isfinite(high - low))
    throw BareError{"argument '" + parameter + "': '" + how +
                    "': two numbers are expected, the smaller one first, as in uniform(-1,1)"};
  std::uint64_t state = 1;
  const bool is_float = argument.type[0] == 'f' || argument.type == "bf16";
  const std::size_t bytes = scalar_bytes(argument.type), count = static_cast<std::size_t>(argument.count());
  for (std::size_t i = 0; i < count; ++i) {
    const double unit = static_cast<double>(next_random(state) >> 11) * 0x1p-53;
    char* const at = argument.data.data() + bytes * i;
    if (is_float)
      store(argument.type, low + (high - low) * unit, at);
    else
      store(argument.type, static_cast<std::int64_t>(std::floor(low + (high - low + 1) * unit)), at);
  }
}

}  // namespace

void fill_from_file(BareArgument& argument, const std::string& parameter) {
  Npy array;
  const std::string problem = read_npy(argument.fill, array);
  if (!problem.empty()) throw BareError{"argument '" + parameter + "': " + problem};
  const bool rounds = array.type == "f32" && (argument.type == "bf16" || argument.type == "f16");
  if (argument.type.empty()) argument.type = array.type;
  if (!argument.has_shape) argument.shape = array.shape;
  argument.has_shape = argument.has_shape || !array.shape.empty();
  const BareArgument file{array.type, array.shape, true, false, "", {}};
  if ((array.type != argument.type && !rounds) || file.count() != argument.count())
    throw BareError{"argument '" + parameter + "': " + argument.text() + " was asked for, but '" + argument.fill +
                    "' holds " + file.text()};
  if (!rounds) {
    argument.data = std::move(array.data);
    return;
  }
  argument.data.resize(array.data.size() / 2);
  for (std::size_t i = 0; i < argument.data.size() / 2; ++i) {
    float value;
    std::memcpy(&value, array.data.data() + 4 * i, 4);
    store(argument.type, value, argument.data.data() + 2 * i);
  }
}

void fill(BareArgument& argument, const std::string& parameter) {
  const std::string& how = argument.fill;
  const std::size_t bytes = scalar_bytes(argument.type), count = static_cast<std::size_t>(argument.count());
  if (how.empty()) return;
  argument.data.resize(bytes * count);
  char* data = argument.data.data();
  if (how == "arange") {
    for (std::size_t i = 0; i < count; ++i) store(argument.type, static_cast<std::int64_t>(i), data + bytes * i);
  } else if (is_range(how)) {
    fill_uniform(argument, parameter);
  } else if (how.compare(0, 6, "random") == 0 && (how.size() == 6 || (how[6] == '(' && how.back() == ')'))) {
    const std::string seed = how.size() == 6 ? "1" : how.substr(7, how.size() - 8);
    if (seed.empty() || seed.size() > 19 || seed.find_first_not_of("0123456789") != std::string::npos)
      throw BareError{"argument '" + parameter + "': '" + how + "': a seed is a whole number, as in random(7)"};
    std::uint64_t state = std::strtoull(seed.c_str(), nullptr, 10);
    const bool is_float = argument.type[0] == 'f' || argument.type == "bf16";
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t bits = next_random(state);
      if (is_float)
        store(argument.type, static_cast<double>(bits >> 11) * 0x1p-52 - 1, data + bytes * i);
      else
        store(argument.type, static_cast<std::int64_t>(argument.type == "bool" ? bits & 1 : bits % 100),
              data + bytes * i);
    }
  } else {
    std::vector<char> element(bytes);
    const std::string problem = store_typed(argument.type, how, element.data());
    if (!problem.empty()) throw BareError{"argument '" + parameter + "': " + problem};
    for (std::size_t i = 0; i < count; ++i) std::memcpy(data + bytes * i, element.data(), bytes);
  }
}

BareArgument parse_argument(const std::string& text, const Parameter& parameter) {
  const std::string expected = "expected " + parameter.name + "=TYPE[SHAPE]:FILL, such as " + parameter.name +
                               (parameter.is_pointer ? "=f32[1000]:random" : "=i32:1000");
  const auto fail = [&](const std::string& why) {
    return BareError{"argument '" + parameter.name + "': " + why + "; " + expected};
  };
  BareArgument argument;
  if (text == "null" || text == "nullptr") {
    argument.is_null = true;
    return argument;
  }
  const bool is_file = text.size() > 4 && text.compare(text.size() - 4, 4, ".npy") == 0;
  const std::size_t end = std::min(text.find_first_of("[:"), text.size());
  argument.type = text.substr(0, end);
  if (scalar_bytes(argument.type) == 0) {
    if (is_file)
      argument.type.clear();
    else if (!parameter.is_pointer && text.find_first_of("[:") == std::string::npos)
      argument.type = parameter.type;
    else
      throw fail("'" + argument.type +
                 "' is not a type (bool, f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64)");
    argument.fill = text;
    return argument;
  }
  std::size_t at = end;
  if (at < text.size() && text[at] == '[') {
    argument.has_shape = true;
    for (++at; at < text.size() && text[at] != ']';) {
      char* after = nullptr;
      const long long extent = std::strtoll(text.c_str() + at, &after, 10);
      if (after == text.c_str() + at || extent < 0 || std::strchr("],x", *after) == nullptr)
        throw fail("'" + text + "' has a malformed shape");
      argument.shape.push_back(extent);
      at = static_cast<std::size_t>(after - text.c_str()) + (*after == ']' ? 0 : 1);
    }
    if (at++ >= text.size()) throw fail("the shape in '" + text + "' has no closing bracket");
    long long n_bytes = static_cast<long long>(scalar_bytes(argument.type));
    for (const long long extent : argument.shape) {
      if (__builtin_mul_overflow(n_bytes, extent, &n_bytes)) throw fail("'" + text + "' is larger than any memory");
    }
  }
  if (at < text.size() && text[at] != ':') throw fail("unexpected '" + text.substr(at) + "' after the type");
  if (at < text.size()) argument.fill = text.substr(at + 1);
  return argument;
}

void match(const BareArgument& argument, const Parameter& parameter) {
  const auto mismatch = [&](const std::string& hint) {
    return BareError{"argument '" + parameter.name + "': the kernel takes " + parameter.text() + ", but " +
                     argument.text() + " was given" + hint};
  };
  if (parameter.type.empty())
    throw BareError{"parameter '" + parameter.name + "' has " + parameter.text() +
                    ", which --arg cannot describe; write a small program around the kernel"};
  if (argument.is_null) {
    if (!parameter.is_pointer) throw mismatch("");
    return;
  }
  if (argument.type != parameter.type) throw mismatch("");
  if (parameter.is_pointer && !argument.has_shape)
    throw mismatch(": an array needs a shape, such as " + argument.type + "[1000]");
  if (!parameter.is_pointer && argument.has_shape) throw mismatch(": a single value has no shape");
  if (!parameter.is_pointer && argument.fill.empty())
    throw mismatch(" without a value, as in " + argument.type + ":1000");
  if (parameter.is_pointer && argument.count() % parameter.components != 0)
    throw mismatch(": the number of values must be a multiple of " + std::to_string(parameter.components));
}

}  // namespace rafter::simt
