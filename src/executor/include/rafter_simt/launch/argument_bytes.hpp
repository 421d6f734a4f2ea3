// Kernel arguments with a non-trivial copy constructor or destructor. CUDA copies such an argument once, on the host,
// when the kernel is launched, and transfers the copy's bytes to the device; no thread constructs or destroys anything.
// Here the launch keeps the host's copy and every thread works on its bytes: the C++ ABI passes such a parameter by
// address, so a kernel can be called with the address of bytes that were never constructed.
#pragma once

#include <type_traits>

namespace rafter_simt {

/// Whether the ABI passes a parameter of this type by value.
template <class T>
constexpr bool is_passed_by_value = std::is_trivially_destructible<T>::value &&
                                    (!std::is_copy_constructible<T>::value ||
                                     std::is_trivially_copy_constructible<T>::value) &&
                                    (!std::is_move_constructible<T>::value ||
                                     std::is_trivially_move_constructible<T>::value);

template <class... Arguments>
std::bool_constant<(is_passed_by_value<Arguments> && ...)> are_plain(const Arguments&...);

/// Converts a kernel's address to a function that takes bytes of objects where the kernel takes objects.
struct TakingBytes {
  template <class... Parameters>
  auto operator()(void (*kernel)(Parameters...)) const {
    using Kernel = void (*)(std::conditional_t<is_passed_by_value<Parameters>, Parameters, Parameters&>...);
    auto taking = reinterpret_cast<Kernel>(kernel);
    asm("" : "+r"(taking));  // hides from the compiler that the types differ
    return taking;
  }
};

/// Converts a template whose arguments must be deduced, if its parameters have exactly the arguments' types.
template <class... Arguments>
struct TakingBytesOf {
  auto operator()(void (*kernel)(Arguments...)) const { return TakingBytes()(kernel); }
};
template <class... Arguments>
TakingBytesOf<Arguments...> taking(const Arguments&...);

/// One thread's copy of an argument.
template <class T>
struct ArgumentBytes {
  explicit ArgumentBytes(const T& argument) {
    __builtin_memcpy(bytes, static_cast<const void*>(__builtin_addressof(argument)), sizeof(T));
  }
  operator T&() { return *reinterpret_cast<T*>(bytes); }

  alignas(T) unsigned char bytes[sizeof(T)];
};

/// Copies arguments with non-trivial constructors as bytes; passes others through.
struct CopyBytes {
  template <class T>
  decltype(auto) operator()(T& argument) const {
    if constexpr (is_passed_by_value<T>) {
      return (argument);
    } else {
      return ArgumentBytes<T>(argument);
    }
  }
};

/// Calls a kernel with bytes of its arguments. `name(with)` is with(the kernel); `call(kernel, copy)` calls it with
/// arguments copied by `copy`. If neither TakingBytes nor `Taking` knows the kernel, or an argument needs a conversion,
/// calls it in the usual way with `plainly`.
template <class Taking, class Name, class Call, class Plainly>
void call_with_bytes(const Name& name, const Call& call, const Plainly& plainly) {
  constexpr bool is_known = std::is_invocable<const Name&, TakingBytes>::value;
  using With = std::conditional_t<is_known, TakingBytes, Taking>;
  if constexpr (std::is_invocable<const Name&, With>::value) {
    using Kernel = std::invoke_result_t<const Name&, With>;
    if constexpr (std::is_invocable<const Call&, Kernel, CopyBytes>::value) {
      call(name(With()), CopyBytes());
    } else {
      plainly();
    }
  } else {
    plainly();
  }
}

}  // namespace rafter_simt
