// The parameters of a case: names with numbers or words as values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rafter::lab {

using Value = std::variant<std::int64_t, double, std::string>;

/// One parameter of a workload: its name, meaning and default.
struct Parameter {
  std::string name;
  std::string meaning;
  Value standard;
  bool is_size = false;                ///< set by --size, in the order of declaration
  std::vector<std::string> choices{};  ///< the allowed words
  bool shows_standard = true;          ///< false: left out of a case's parameters when it has its default
};

/// The parameters of one case, in the workload's order.
class Params {
 public:
  Params() = default;
  Params(std::initializer_list<std::pair<std::string, Value>> values) : values_(values) {}

  void set(std::string_view name, Value value);
  std::int64_t integer(std::string_view name) const;
  std::int64_t integer_or(std::string_view name, std::int64_t otherwise) const;
  double real(std::string_view name) const;
  const std::string& word(std::string_view name) const;
  const Value* find(std::string_view name) const noexcept;
  const std::vector<std::pair<std::string, Value>>& all() const noexcept { return values_; }

  Params without(std::string_view name) const;

  /// "rows=1000000 cols=10 dtype=float32"
  std::string text() const;

 private:
  std::vector<std::pair<std::string, Value>> values_;
};

/// Returns the value as text: "1000", "2^28", "0.5", "float32".
std::string show(const Value& value);

/// Parses "256", "2^28", "1e7", "64k" or "16Mi" as a whole number; throws Error (bad_argument) that lists these forms.
std::int64_t parse_integer(std::string_view text);

/// Parses `text` as a value of `parameter`; throws Error (bad_argument) that lists what is allowed.
Value parse_value(const Parameter& parameter, std::string_view text);

}  // namespace rafter::lab
