#include "workbench/trial/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>

#include "rafter/error.hpp"
#include "rafter/half.hpp"
#include "workbench/lab/workload/exercise.hpp"

namespace rafter::trial {

namespace {

/// Calls `use` with a value of the type.
template <class Use>
void with_element_type(const std::string& type, Use use) {
  if (type == "f16") return use(Half(0.F));
  if (type == "bf16") return use(Bfloat16(0.F));
  if (type == "f32") return use(0.F);
  if (type == "f64") return use(0.);
  if (type == "i8") return use(std::int8_t{});
  if (type == "i16") return use(std::int16_t{});
  if (type == "i32") return use(std::int32_t{});
  if (type == "i64") return use(std::int64_t{});
  if (type == "u8") return use(std::uint8_t{});
  if (type == "u16") return use(std::uint16_t{});
  if (type == "u32") return use(std::uint32_t{});
  if (type == "u64") return use(std::uint64_t{});
  throw Error(ErrorCode::bad_argument, fmt::format("elements of an unknown type, '{}'", type));
}

}  // namespace

double element_at(const std::string& type, const std::byte* at) {
  double number = 0;
  with_element_type(type, [&](auto value) {
    std::memcpy(&value, at, sizeof value);
    number = static_cast<double>(value);
  });
  return number;
}

void append_element(std::vector<std::byte>& bytes, const std::string& type, double value) {
  with_element_type(type, [&](auto zero) {
    using T = decltype(zero);
    T element;
    if constexpr (sizeof(T) == 2 && !std::is_integral_v<T>) {
      element = T(static_cast<float>(value));
    } else {
      element = static_cast<T>(value);
    }
    const auto part = std::as_bytes(std::span(&element, 1));
    bytes.insert(bytes.end(), part.begin(), part.end());
  });
}

std::string spelling_of(const std::string& type) {
  struct Spelling {
    const char *type, *text;
  };
  constexpr Spelling all[] = {{"f16", "__half"}, {"bf16", "__nv_bfloat16"}, {"f32", "float"},    {"f64", "double"},
                              {"i8", "int8_t"},  {"i16", "int16_t"},        {"i32", "int"},      {"i64", "int64_t"},
                              {"u8", "uint8_t"}, {"u16", "uint16_t"},       {"u32", "uint32_t"}, {"u64", "uint64_t"}};
  const auto known =
      std::find_if(std::begin(all), std::end(all), [&](const Spelling& one) { return one.type == type; });
  if (known == std::end(all))
    throw Error(ErrorCode::bad_argument, fmt::format("elements of an unknown type, '{}'", type));
  return known->text;
}

bool is_unset_element(const std::vector<std::byte>& bytes, std::size_t i, std::size_t element_bytes) {
  const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(i * element_bytes);
  return std::all_of(first, first + static_cast<std::ptrdiff_t>(element_bytes),
                     [](std::byte byte) { return byte == std::byte{0xff}; });
}

double Answer::expected(std::size_t i) const {
  const std::string& of = answer_type.empty() ? type : answer_type;
  return element_at(of, &bytes[i * static_cast<std::size_t>(lab::element_bytes(of))]);
}

bool Answer::is_right(std::size_t i, const std::vector<std::byte>& after) const {
  const auto size = static_cast<std::size_t>(lab::element_bytes(type));
  const std::size_t at = i * size;
  if (type[0] == 'i' || type[0] == 'u') return std::memcmp(&bytes[at], &after[at], size) == 0;
  const double wanted = expected(i), actual = element_at(type, &after[at]);
  if (std::isnan(wanted) || std::isinf(wanted)) return std::isnan(wanted) ? std::isnan(actual) : actual == wanted;
  return std::fabs(actual - wanted) <= absolute + relative * std::fabs(wanted);
}

std::string Answer::compare(const std::vector<std::byte>& after) const {
  const auto size = static_cast<std::size_t>(lab::element_bytes(type));
  const std::string& of = answer_type.empty() ? type : answer_type;
  const std::size_t n = bytes.size() / static_cast<std::size_t>(lab::element_bytes(of));
  if (after.size() != n * size) return fmt::format("{} has {} bytes instead of {}", name, after.size(), n * size);
  std::size_t n_wrong = 0, first = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_right(i, after) && n_wrong++ == 0) first = i;
  }
  if (n_wrong == 0) return "";
  const std::string how_many = fmt::format("({} of {} elements are wrong)", n_wrong, n);
  if (is_unset && is_unset_element(after, first, size))
    return fmt::format("{}[{}] was never written {}", name, first, how_many);
  return fmt::format("{}[{}]: expected {}, got {} {}", name, first, expected(first),
                     element_at(type, &after[first * size]), how_many);
}

}  // namespace rafter::trial
