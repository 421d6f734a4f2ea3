#include "executor/runtime/bare/show_array.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "executor/engine/async/matrix.hpp"

namespace rafter::simt {
namespace {

template <class T>
T value_at(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
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

/// Returns the text of an element; `type` is named as in --arg.
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

/// Returns the texts of the first elements of a row and of the last one.
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

void show_array(const std::string& head, const std::string& type, std::size_t bytes, std::int64_t n_rows,
                std::int64_t n_columns, const void* memory) {
  constexpr std::int64_t most_rows = 6;
  std::string text = head + ":";
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

}  // namespace rafter::simt
