// A kernel's parameters by name, and their spelling in messages.
#pragma once

#include <string>

#include "parameter_types.hpp"  // in this folder: nvcc must not find the headers that replace its own

namespace rafter_simt {

/// One parameter of a kernel; see ParameterType.
struct Parameter {
  std::string name;
  std::string type;
  bool is_pointer;
  bool is_const;
  int components;
  std::size_t bytes;

  Parameter(const char* name_, const ParameterType& of)
      : name(name_),
        type(of.type),
        is_pointer(of.is_pointer),
        is_const(of.is_const),
        components(of.components),
        bytes(of.bytes) {}

  /// Returns the spelling: "f32*", "const i32*", "f32x4*", "i64".
  std::string text() const {
    if (type.empty()) return is_pointer ? "a pointer to a user-defined type" : "a user-defined type";
    return (is_const && is_pointer ? "const " : "") + type + (components > 1 ? "x" + std::to_string(components) : "") +
           (is_pointer ? "*" : "");
  }
};

template <class P>
Parameter describe(const char* name) {
  return {name, parameter_type<P>()};
}

}  // namespace rafter_simt
