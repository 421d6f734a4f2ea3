// Arguments of kernels as people describe them, NAME=TYPE[SHAPE]:FILL, with expressions of the sizes in shape and fill.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/expression.hpp"

namespace rafter::bench {

/// As it was typed.
struct Argument {
  std::string name;
  std::string type{};                ///< "f32"; empty: whatever the kernel takes, or the file holds
  std::vector<std::string> shape{};  ///< expressions; empty for a scalar, and for a file whose shape was not given
  bool is_array = false;
  bool is_null = false;
  std::string fill{};  ///< empty: an array that the kernel fills
};

/// Throws Error (bad_argument) with what was expected.
Argument parse_argument(const std::string& text);

/// How the elements of an array come about.
struct Fill {
  enum class Kind { none, constant, arange, random, file };
  Kind kind = Kind::none;
  double value = 0;          ///< of constant
  double low = 0, high = 0;  ///< of random; equal: the type's usual range
  bool has_seed = false;     ///< of random: otherwise a fresh one for each input set
  std::uint64_t seed = 0;
  std::filesystem::path file{};
};

/// With its sizes known.
struct Array {
  std::string name;
  std::string type;
  std::vector<std::int64_t> shape{};
  Fill fill{};

  std::int64_t size() const;
  std::int64_t bytes() const;
};

/// Bytes of an element; 0 for what is no type.
std::int64_t type_bytes(const std::string& type);
bool is_float(const std::string& type);

/// The array that an argument describes. Throws Error (bad_argument, io) with the argument's name.
Array array_of(const Argument& argument, const base::Names& names);

/// The bytes of a scalar of the type that the kernel takes. Throws Error (bad_argument) for what does not fit in it.
std::vector<std::byte> scalar_of(const Argument& argument, const std::string& type, const base::Names& names);

}  // namespace rafter::bench
