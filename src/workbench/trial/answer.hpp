// Elements of any type, and an output of a case with its expected elements and how close they must be.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rafter::trial {

/// Returns an element of this type as a number. The types are those of lab::ExerciseArgument.
double element_at(const std::string& type, const std::byte* at);

/// Appends the number as an element of this type.
void append_element(std::vector<std::byte>& bytes, const std::string& type, double value);

/// Returns the spelling of an element type in a signature: "float" for "f32". Throws Error (bad_argument).
std::string spelling_of(const std::string& type);

/// An output and its answer. Integers must be equal, and NaN must match NaN.
struct Answer {
  std::size_t argument;  ///< its place among the arguments
  std::string name, type;
  std::vector<std::byte> bytes;
  double absolute = 0, relative = 0;  ///< the largest error, and that relative to the expected element
  bool is_unset = false;              ///< the array was uninitialised, and filled with 0xff
  std::string answer_type{};          ///< of the expected elements, if it differs

  /// Returns a sentence on the wrong elements, or "".
  std::string compare(const std::vector<std::byte>& after) const;

 private:
  double expected(std::size_t i) const;
  bool is_right(std::size_t i, const std::vector<std::byte>& after) const;
};

/// Returns whether all bytes of an element have the pattern of uninitialised arrays.
bool is_unset_element(const std::vector<std::byte>& bytes, std::size_t i, std::size_t element_bytes);

}  // namespace rafter::trial
