// A kernel's parameters by name, and as messages show them.
#pragma once

#include <string>

#include "parameter_types.hpp"  // beside this file: nvcc must not find the headers that stand in for its own

namespace rafter_simt {

/// What the kernel takes for one parameter; see ParameterType.
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

  /// "f32*", "const i32*", "f32x4*", "i64"
  std::string text() const {
    if (type.empty()) return is_pointer ? "a pointer to a type of its own" : "a type of its own";
    return (is_const && is_pointer ? "const " : "") + type + (components > 1 ? "x" + std::to_string(components) : "") +
           (is_pointer ? "*" : "");
  }
};

template <class P>
Parameter describe(const char* name) {
  return {name, parameter_type<P>()};
}

}  // namespace rafter_simt
