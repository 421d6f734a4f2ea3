// The types of a kernel's parameters, by the names that --arg uses. Does not include the standard library's strings,
// which take longer to compile than the kernel.
#pragma once

#include <cstddef>
#include <type_traits>

struct __half;
struct __nv_bfloat16;

namespace rafter_simt {

/// Returns f32, i64 and so on; an empty string if T is not arithmetic.
template <class T>
constexpr const char* scalar_name() {
  using U = std::remove_cv_t<T>;
  constexpr std::size_t bytes = sizeof(U);
  if constexpr (std::is_same_v<U, bool>)
    return "bool";
  else if constexpr (std::is_enum_v<U>)
    return scalar_name<std::underlying_type_t<U>>();
  else if constexpr (std::is_floating_point_v<U> && bytes <= 8)
    return bytes == 8 ? "f64" : bytes == 4 ? "f32" : "f16";
  else if constexpr (std::is_integral_v<U> && std::is_signed_v<U>)
    return bytes == 1 ? "i8" : bytes == 2 ? "i16" : bytes == 4 ? "i32" : bytes == 8 ? "i64" : "i128";
  else if constexpr (std::is_integral_v<U>)
    return bytes == 1 ? "u8" : bytes == 2 ? "u16" : bytes == 4 ? "u32" : bytes == 8 ? "u64" : "u128";
  else
    return "";
}
template <>
constexpr const char* scalar_name<__half>() {
  return "f16";
}
template <>
constexpr const char* scalar_name<__nv_bfloat16>() {
  return "bf16";
}

/// The component type of float4 and the like: the type of x if the object consists only of such components.
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

/// One parameter of a kernel.
struct ParameterType {
  const char* type;   // of its elements, in --arg's spelling; empty if --arg cannot describe it
  bool is_pointer;    // to elements in device memory
  bool is_const;      // the kernel only reads them
  int components;     // numbers per element
  std::size_t bytes;  // per element
};

template <class P>
constexpr ParameterType parameter_type() {
  using Element = std::remove_pointer_t<P>;
  using Plain = std::remove_cv_t<Element>;
  ParameterType result{"", std::is_pointer_v<P>, std::is_const_v<Element>, 1, 0};
  if constexpr (std::is_void_v<Plain>) {
    result.type = "u8";
    result.bytes = 1;
  } else if constexpr (!std::is_pointer_v<Plain> && !std::is_function_v<Plain>) {
    result.type = scalar_name<Plain>();
    result.bytes = sizeof(Plain);
    if constexpr (std::is_class_v<Plain>) {
      using Component = typename Components<Plain>::type;
      if constexpr (!std::is_void_v<Component>) {
        if (*result.type == '\0') {
          result.type = scalar_name<Component>();
          result.components = Components<Plain>::count;
        }
      }
    }
  }
  return result;
}

}  // namespace rafter_simt
