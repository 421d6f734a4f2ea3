// Arguments of user kernels, described as NAME=TYPE[SHAPE]:FILL with expressions of the sizes in shape and fill, or as
// NAME=struct{TYPE:VALUE, ...}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/expression.hpp"
#include "base/npy.hpp"
#include "workbench/bench/element_type.hpp"

namespace rafter::bench {

/// The rule that gives the elements of an array their values, parsed but not evaluated.
struct FillRule {
  enum class Kind { none, constant, nan, arange, random, file, scratch };
  Kind kind = Kind::none;
  /// The value of a constant; nothing, the seed, or the lower and upper bound of random.
  std::vector<base::Expression> operands{};
  std::filesystem::path file{};
};

/// One argument, parsed.
struct Argument {
  enum class Kind { scalar, array, null, structure };
  std::string name;
  Kind kind = Kind::scalar;
  std::optional<ElementType> type{};      ///< Nothing: the kernel's type, or the file's.
  std::vector<base::Expression> shape{};  ///< Empty for a scalar, and for a file whose shape was not given.
  FillRule fill{};                        ///< The value of a scalar; none or scratch for an array that kernels fill.
  std::vector<Argument> members{};        ///< Of a structure; one without a type is a pointer to the array of its name.

  bool is_array() const { return kind == Kind::array; }
  bool is_null() const { return kind == Kind::null; }
};

/// Parses the text of an option, --arg or --symbol. Throws Error (bad_argument) with the expected form.
Argument parse_argument(const std::string& text, const char* option = "--arg");

/// A scalar argument with the value of an expression.
Argument scalar_argument(const std::string& name, const std::string& expression);

/// A fill rule with its numbers.
struct Fill {
  enum class Kind { none, constant, arange, random, file };
  Kind kind = Kind::none;
  double value = 0;          ///< Of constant.
  double low = 0, high = 0;  ///< Of random; equal: a mixture of floats (mixture.hpp), integers in [0, 100).
  bool has_seed = false;     ///< Of random; without a seed each input set has its own.
  std::uint64_t seed = 0;
  std::filesystem::path file{};
};

/// An array argument with its sizes evaluated.
struct Array {
  std::string name;
  ElementType type{};
  std::vector<std::int64_t> shape{};
  Fill fill{};

  std::int64_t size() const;
  std::int64_t bytes() const { return size() * bytes_of(type); }
};

/// Evaluates an array argument. Throws Error (bad_argument, io) with the argument's name.
Array evaluate_array(const Argument& argument, const base::Names& sizes);

/// Throws Error (bad_argument) unless the file holds values of the array's type and number.
void require_content(const base::NpyFile& file, const Array& array);

/// Throws Error (bad_argument) for members of a structure that are neither numbers nor pointers.
Argument parse_structure(const std::string& name, const std::string& text);

/// The bytes of a value, and the pointers to arrays in it.
struct Value {
  struct Pointer {
    std::size_t at;
    std::string array;
  };
  std::vector<std::byte> bytes{};
  std::vector<Pointer> pointers{};
  std::size_t alignment = 1;
};

/// Evaluates a structure: its members lie where the C++ compiler puts them. Throws Error (bad_argument).
Value evaluate_structure(const Argument& argument, const base::Names& sizes);

/// Evaluates a scalar argument to the bytes of a value of the kernel's type. Throws Error (bad_argument) if the value
/// does not fit.
std::vector<std::byte> evaluate_scalar(const Argument& argument, ElementType type, const base::Names& sizes);

}  // namespace rafter::bench
