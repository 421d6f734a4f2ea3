#include "workbench/lab/workload/params.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/messages.hpp"
#include "base/units.hpp"
#include "rafter/error.hpp"

namespace rafter::lab {

namespace {

[[noreturn]] void refuse_number(std::string_view text) {
  throw Error(ErrorCode::bad_argument,
              fmt::format("'{}' is not a whole number of 0 or more: write it as 1000, 2^28, 1e7, 64k or 16Mi", text));
}

std::optional<double> plain_number(std::string_view text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct Suffix {
  std::string_view text;
  double factor;
};
constexpr Suffix suffixes[] = {{"Ki", 1024.}, {"Mi", 1048576.}, {"Gi", 1073741824.},
                               {"k", 1e3},    {"M", 1e6},       {"G", 1e9}};

const Value& at(const Params& params, std::string_view name) {
  if (const Value* value = params.find(name)) return *value;
  throw Error(ErrorCode::bad_argument, fmt::format("parameter '{}' is not set", name));
}

}  // namespace

void Params::set(std::string_view name, Value value) {
  for (auto& [known, old] : values_) {
    if (known == name) {
      old = std::move(value);
      return;
    }
  }
  values_.emplace_back(name, std::move(value));
}

const Value* Params::find(std::string_view name) const noexcept {
  for (const auto& [known, value] : values_) {
    if (known == name) return &value;
  }
  return nullptr;
}

std::int64_t Params::integer(std::string_view name) const { return std::get<std::int64_t>(at(*this, name)); }
std::int64_t Params::integer_or(std::string_view name, std::int64_t otherwise) const {
  const Value* value = find(name);
  return value != nullptr ? std::get<std::int64_t>(*value) : otherwise;
}
double Params::real(std::string_view name) const { return std::get<double>(at(*this, name)); }
const std::string& Params::word(std::string_view name) const { return std::get<std::string>(at(*this, name)); }

Params Params::without(std::string_view name) const {
  Params rest = *this;
  std::erase_if(rest.values_, [&](const auto& one) { return one.first == name; });
  return rest;
}

std::string Params::text() const {
  std::string text;
  for (const auto& [name, value] : values_) {
    if (!text.empty()) text += ' ';
    text += name + "=" + show(value);
  }
  return text;
}

std::string show(const Value& value) {
  if (const auto* count = std::get_if<std::int64_t>(&value)) return base::show_count(*count);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:g}", *real);
  return std::get<std::string>(value);
}

std::int64_t parse_integer(std::string_view text) {
  double factor = 1;
  std::string_view digits = text;
  for (const Suffix& suffix : suffixes) {
    if (digits.size() > suffix.text.size() && digits.ends_with(suffix.text)) {
      digits.remove_suffix(suffix.text.size());
      factor = suffix.factor;
      break;
    }
  }
  std::optional<double> value;
  if (const auto hat = digits.find('^'); hat != std::string_view::npos) {
    const auto base = plain_number(digits.substr(0, hat));
    const auto exponent = plain_number(digits.substr(hat + 1));
    if (base && exponent && *base >= 0) value = std::pow(*base, *exponent);
  } else {
    value = plain_number(digits);
  }
  if (!value) refuse_number(text);
  const double exact = *value * factor;
  const double scaled = std::round(exact);  // 2.01k is 2010, though 2.01 has no exact double
  if (!(exact >= 0) || std::abs(exact - scaled) > 4e-16 * scaled || scaled > 9e18) refuse_number(text);
  std::int64_t whole = 0;  // exact beyond 2^53, too
  if (const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), whole);
      status == std::errc() && end == text.data() + text.size()) {
    return whole;
  }
  return static_cast<std::int64_t>(scaled);
}

Value parse_value(const Parameter& parameter, std::string_view text) {
  if (std::holds_alternative<std::int64_t>(parameter.standard)) return parse_integer(text);
  if (std::holds_alternative<double>(parameter.standard)) {
    const auto value = plain_number(text);
    if (!value || !std::isfinite(*value)) {
      throw Error(ErrorCode::bad_argument, fmt::format("{}: '{}' is not a number", parameter.name, text));
    }
    return *value;
  }
  for (const std::string& choice : parameter.choices) {
    if (choice == text) return choice;
  }
  throw Error(ErrorCode::bad_argument, base::unknown_name(parameter.name, text, parameter.choices));
}

}  // namespace rafter::lab
