// A few elements of an array that a bare kernel wrote (rafter_simt/bare.hpp), for who has no program that prints them.
// Here and not in that header: drivers are compiled for every kernel.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::simt {
namespace {

template <class T>
T value_at(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

float half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float magnitude = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                          : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                          : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

float bfloat_value(std::uint16_t bits) {
  const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

std::string decimal(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

/// An element of a type as --arg names it.
std::string element_text(std::string_view type, const char* at) {
  if (type == "f64") return decimal(value_at<double>(at), 10);
  if (type == "f32") return decimal(static_cast<double>(value_at<float>(at)), 6);
  if (type == "f16") return decimal(static_cast<double>(half_value(value_at<std::uint16_t>(at))), 4);
  if (type == "bf16") return decimal(static_cast<double>(bfloat_value(value_at<std::uint16_t>(at))), 3);
  if (type == "bool") return *at != 0 ? "true" : "false";
  if (type == "u8") return std::to_string(value_at<std::uint8_t>(at));
  if (type == "u16") return std::to_string(value_at<std::uint16_t>(at));
  if (type == "u32") return std::to_string(value_at<std::uint32_t>(at));
  if (type == "u64") return std::to_string(value_at<std::uint64_t>(at));
  if (type == "i8") return std::to_string(value_at<std::int8_t>(at));
  if (type == "i16") return std::to_string(value_at<std::int16_t>(at));
  if (type == "i32") return std::to_string(value_at<std::int32_t>(at));
  return std::to_string(value_at<std::int64_t>(at));
}

/// The first elements of a row, and the last one.
std::vector<std::string> row_texts(std::string_view type, std::size_t bytes, const char* row, std::int64_t n) {
  constexpr std::int64_t most = 8;
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < n; ++i) {
    if (n > most && i == most - 2) {
      texts.emplace_back("...");
      i = n - 1;
    }
    texts.push_back(element_text(type, row + bytes * static_cast<std::size_t>(i)));
  }
  return texts;
}

}  // namespace
}  // namespace rafter::simt

using namespace rafter::simt;

/// `head: 1 2 3 ... 9`, or the first rows below each other. `memory` has n_rows * n_columns elements of `bytes` each.
extern "C" __attribute__((visibility("default"))) void rafter_simt_show_array(const char* head, const char* type,
                                                                              std::size_t bytes, std::int64_t n_rows,
                                                                              std::int64_t n_columns,
                                                                              const void* memory) {
  constexpr std::int64_t most_rows = 6;
  std::string text = std::string(head) + ":";
  if (n_rows * n_columns == 0) text += " no elements";
  std::vector<std::vector<std::string>> rows;
  std::size_t width = 0;
  for (std::int64_t row = 0; row < std::min(n_rows, most_rows); ++row) {
    const auto* at = static_cast<const char*>(memory) + bytes * static_cast<std::size_t>(row * n_columns);
    rows.push_back(row_texts(type, bytes, at, n_columns));
    for (const std::string& one : rows.back()) width = std::max(width, one.size());
  }
  for (const auto& row : rows) {
    if (n_rows > 1) text += "\n ";
    for (const std::string& one : row) text += " " + std::string(n_rows > 1 ? width - one.size() : 0, ' ') + one;
  }
  if (n_rows > most_rows) text += "\n  ... (" + std::to_string(n_rows) + " rows)";
  std::puts(text.c_str());
}
