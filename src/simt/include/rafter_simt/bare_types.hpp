// The types of a kernel's parameters, by the names that --arg uses.
#pragma once

#include <string>
#include <type_traits>

struct __half;
struct __nv_bfloat16;

namespace rafter_simt {

/// f32, i64 and so on; empty for what is no number.
template <class T>
std::string scalar_name() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, bool>)
    return "bool";
  else if constexpr (std::is_same_v<U, __half>)
    return "f16";
  else if constexpr (std::is_same_v<U, __nv_bfloat16>)
    return "bf16";
  else if constexpr (std::is_enum_v<U>)
    return scalar_name<std::underlying_type_t<U>>();
  else if constexpr (std::is_floating_point_v<U> && sizeof(U) <= 8)
    return "f" + std::to_string(8 * sizeof(U));
  else if constexpr (std::is_integral_v<U>)
    return (std::is_signed_v<U> ? "i" : "u") + std::to_string(8 * sizeof(U));
  else
    return "";
}

/// float4 and its like: the type of x when the object holds nothing but such components.
template <class T, class = void>
struct Components {
  using type = void;
  static constexpr int count = 1;
};
template <class T>
struct Components<T, std::void_t<decltype(T::x)>> {
  using type = decltype(T::x);
  static constexpr int count = sizeof(T) / sizeof(type);
};

/// What the kernel takes for one parameter.
struct Parameter {
  std::string name;
  std::string type;   // of its elements, as --arg calls it; empty when --arg cannot describe it
  bool is_pointer;    // to elements in device memory
  bool is_const;      // the kernel only reads them
  int components;     // numbers in an element
  std::size_t bytes;  // of an element

  /// "f32*", "const i32*", "f32x4*", "i64"
  std::string text() const {
    if (type.empty()) return is_pointer ? "a pointer to a type of its own" : "a type of its own";
    return (is_const && is_pointer ? "const " : "") + type + (components > 1 ? "x" + std::to_string(components) : "") +
           (is_pointer ? "*" : "");
  }
};

template <class P>
Parameter describe(const char* name) {
  using Element = std::remove_pointer_t<P>;
  using Plain = std::remove_cv_t<Element>;
  Parameter parameter{name, scalar_name<Plain>(), std::is_pointer_v<P>, std::is_const_v<Element>, 1, 0};
  if constexpr (std::is_void_v<Plain>) {
    parameter.type = "u8";
    parameter.bytes = 1;
  } else if constexpr (!std::is_pointer_v<Plain> && !std::is_function_v<Plain>) {
    parameter.bytes = sizeof(Plain);
    if constexpr (std::is_class_v<Plain>) {
      using Component = typename Components<Plain>::type;
      if (parameter.type.empty() && !std::is_void_v<Component>) {
        parameter.type = scalar_name<Component>();
        parameter.components = Components<Plain>::count;
      }
    }
  }
  return parameter;
}

}  // namespace rafter_simt
