// Kernels' arguments whose copy or destructor does something. CUDA copies such an argument on the host, once, when the
// kernel is launched, and takes the copy's bytes to the device; no thread constructs or destroys anything. Here the
// launch keeps the host's copy, and every thread works on its bytes: the C++ ABI hands such a parameter over by
// address, so that a kernel can be called with the address of bytes that nobody constructed.
#pragma once

#include <type_traits>

namespace rafter_simt {

/// Whether a parameter of this type is handed over by value, as the ABI has it.
template <class T>
constexpr bool is_passed_by_value = std::is_trivially_destructible<T>::value &&
                                    (!std::is_copy_constructible<T>::value ||
                                     std::is_trivially_copy_constructible<T>::value) &&
                                    (!std::is_move_constructible<T>::value ||
                                     std::is_trivially_move_constructible<T>::value);

template <class... Arguments>
std::bool_constant<(is_passed_by_value<Arguments> && ...)> are_plain(const Arguments&...);

/// A kernel's address, as a function that takes bytes of objects where the kernel takes objects.
struct TakingBytes {
  template <class... Parameters>
  auto operator()(void (*kernel)(Parameters...)) const {
    using Kernel = void (*)(std::conditional_t<is_passed_by_value<Parameters>, Parameters, Parameters&>...);
    auto taking = reinterpret_cast<Kernel>(kernel);
    asm("" : "+r"(taking));  // the compiler need not know that the types differ
    return taking;
  }
};

/// The same of a template whose arguments are to be deduced, where its parameters are of the arguments' own types.
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

/// Copies arguments that would be constructed; others are what they are.
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

/// Calls a kernel with bytes of its arguments. `name(with)` is with(the kernel), `call(kernel, copy)` calls it, copying
/// its arguments by `copy`. Where neither TakingBytes nor `Taking` knows the kernel, or an argument is to be converted,
/// it is called in the usual way, `plainly`.
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
