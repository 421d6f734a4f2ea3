// Arguments for a kernel without a program around it: NAME=TYPE[SHAPE]:FILL, checked against its parameters.
#pragma once

#include <string>
#include <vector>

#include "rafter_simt/launch/parameters.hpp"

namespace rafter::simt {

using rafter_simt::Parameter;

/// An invalid request of the user, with the complete message.
struct BareError {
  std::string message;
};

struct BareArgument {
  std::string type;
  std::vector<long long> shape;
  bool has_shape = false;
  bool is_null = false;
  std::string fill;        // empty: device memory stays as it was allocated
  std::vector<char> data;  // produced by the fill; empty without one

  std::string text() const {
    if (is_null) return "null";
    std::string result = type;
    if (has_shape) result += "[";
    for (std::size_t i = 0; i < shape.size(); ++i) result += (i > 0 ? "," : "") + std::to_string(shape[i]);
    return result + (has_shape ? "]" : "");
  }
  long long count() const {
    long long product = 1;
    for (long long extent : shape) product *= extent;
    return product;
  }
};

/// Returns the size of an element of a type, or 0 if the type is unknown.
std::size_t scalar_bytes(const std::string& type);

/// Parses the text after `NAME=`. The type of a scalar may be omitted.
BareArgument parse_argument(const std::string& text, const Parameter& parameter);

/// Reads the data of an argument from the file that it names.
void fill_from_file(BareArgument& argument, const std::string& parameter);

/// Generates the data of an argument of known type and shape.
void fill(BareArgument& argument, const std::string& parameter);

/// Throws BareError unless the kernel can take the argument for this parameter.
void match(const BareArgument& argument, const Parameter& parameter);

}  // namespace rafter::simt
