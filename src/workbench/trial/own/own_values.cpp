#include "workbench/trial/own/own_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/messages.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/trial/answer.hpp"

namespace rafter::trial {

ArrayValues::ArrayValues(const std::string& words) : kind_(Kind::constant) {
  static const std::vector<std::string> known{"fractions", "eighths", "special", "counting", "uniform(LOW, HIGH)"};
  constexpr Kind kinds[] = {Kind::fractions, Kind::eighths, Kind::special, Kind::counting};
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    if (words != known[i]) continue;
    kind_ = kinds[i];
    return;
  }
  const std::string start = "uniform(";
  if (words.starts_with(start) && words.ends_with(")")) {
    kind_ = Kind::uniform;
    const auto bounds = base::split_list(words.substr(start.size(), words.size() - start.size() - 1));
    if (bounds.size() != 2)
      throw Error(ErrorCode::bad_argument, fmt::format("'{}': expected uniform(LOW, HIGH)", words));
    for (const std::string& bound : bounds) numbers_.emplace_back(bound);
    return;
  }
  const bool is_word = !words.empty() && words.find_first_not_of("abcdefghijklmnopqrstuvwxyz ") == std::string::npos;
  if (is_word && words.size() > 3) throw Error(ErrorCode::bad_argument, base::unknown_name("values", words, known));
  numbers_.emplace_back(words);
}

std::vector<std::byte> ArrayValues::make(const std::string& type, std::int64_t n, bool is_sorted, std::uint64_t seed,
                                         const base::Names& names) const {
  const bool is_whole = type[0] == 'i' || type[0] == 'u', is_unsigned = type[0] == 'u';
  std::vector<double> values;
  const auto take = [&](const std::vector<float>& made) { values.assign(made.begin(), made.end()); };
  switch (kind_) {
    case Kind::fractions: take(lab::fractions(n, seed)); break;
    case Kind::eighths: take(lab::eighths(n, seed)); break;
    case Kind::special: take(lab::with_special(lab::fractions(n, seed))); break;
    case Kind::counting:
      for (std::int64_t i = 0; i < n; ++i) values.push_back(static_cast<double>(i));
      break;
    case Kind::uniform: {
      const double low = numbers_[0].evaluate(names), high = numbers_[1].evaluate(names);
      if (n > 0 && !(low < high))
        throw Error(ErrorCode::bad_argument, fmt::format("uniform({:g}, {:g}) has no numbers", low, high));
      for (std::int64_t i = 0; i < n; ++i)
        values.push_back(low + (high - low) * static_cast<double>(lab::random_bits(seed, i) >> 11) * 0x1p-53);
      break;
    }
    case Kind::constant: values.assign(static_cast<std::size_t>(n), numbers_[0].evaluate(names));
  }
  if (is_sorted) std::sort(values.begin(), values.end());
  std::vector<std::byte> bytes;
  for (double value : values) {
    if (is_whole) value = std::isfinite(value) ? std::floor(is_unsigned ? std::abs(value) : value) : 0;
    append_element(bytes, type, value);
  }
  return bytes;
}

}  // namespace rafter::trial
