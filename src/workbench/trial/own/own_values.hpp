// The contents of input arrays of an own exercise, from the words in its file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/expression.hpp"

namespace rafter::trial {

/// The rule that makes the elements of an array.
class ArrayValues {
 public:
  /// Parses "fractions", "eighths", "special", "counting", "uniform(LOW, HIGH)", or an expression: a constant. Throws
  /// Error (bad_argument), with similar names for an unknown word.
  explicit ArrayValues(const std::string& words);

  /// Returns n elements of the type, a new choice for each seed. `names` has the sizes of the case, for expressions.
  std::vector<std::byte> make(const std::string& type, std::int64_t n, bool is_sorted, std::uint64_t seed,
                              const base::Names& names) const;

 private:
  enum class Kind { fractions, eighths, special, counting, uniform, constant };

  Kind kind_;
  std::vector<base::Expression> numbers_{};  ///< low and high, or the constant
};

}  // namespace rafter::trial
