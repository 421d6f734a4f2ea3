// Arguments for a kernel that has no program around it: NAME=TYPE[SHAPE]:FILL, checked against its parameters.
#pragma once

#include <string>
#include <vector>

#include "rafter_simt/launch/parameters.hpp"

namespace rafter::simt {

using rafter_simt::Parameter;

/// A mistake in what was asked for; its message is all there is to say.
struct BareError {
  std::string message;
};

struct BareArgument {
  std::string type;
  std::vector<long long> shape;
  bool has_shape = false;
  bool is_null = false;
  std::string fill;        // empty: device memory stays as it was allocated
  std::vector<char> data;  // what the fill gives; empty when there is none

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

/// Bytes of an element of the type; 0 for what is none.
std::size_t scalar_bytes(const std::string& type);

/// Reads what stands after `NAME=`. A scalar may leave its type out.
BareArgument parse_argument(const std::string& text, const Parameter& parameter);

/// Makes the data of an argument from the file that it names.
void fill_from_file(BareArgument& argument, const std::string& parameter);

/// Makes the data of an argument whose type and shape are known.
void fill(BareArgument& argument, const std::string& parameter);

/// Throws BareError unless the kernel can take the argument for this parameter.
void match(const BareArgument& argument, const Parameter& parameter);

}  // namespace rafter::simt
