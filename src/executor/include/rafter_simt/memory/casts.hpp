// Casts to wide types in kernels, `*(float4*)&tile[1]`. If the compiler knows the variable's layout, it treats such an
// access as one of many bytes and does not pass the type's alignment to the instrumentation. A checked build therefore
// hides the origin of the address.
#pragma once

#include <cstdint>
#include <type_traits>

#ifdef RAFTER_SIMT_CHECKED

namespace rafter_simt {

/// An address of unknown origin to the compiler.
class UnknownAddress {
 public:
  UnknownAddress(const volatile void* address) : address_(reinterpret_cast<std::uintptr_t>(address)) {}
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
  UnknownAddress(T address) : address_(static_cast<std::uintptr_t>(address)) {}

  template <class T>
  operator T*() const {
    auto* pointer = reinterpret_cast<T*>(address_);
    asm("" : "+r"(pointer));
    return pointer;
  }

 private:
  std::uintptr_t address_;
};

template <class To, class From>
To reinterpret(From&& from) {
  if constexpr (std::is_lvalue_reference_v<To>) {
    return *static_cast<std::remove_reference_t<To>*>(UnknownAddress(__builtin_addressof(from)));
  } else {
    return static_cast<To>(UnknownAddress(from));
  }
}

}  // namespace rafter_simt

#define RAFTER_SIMT_CAST_FROM (::rafter_simt::UnknownAddress)
#define RAFTER_SIMT_REINTERPRET_CAST ::rafter_simt::reinterpret

#else

#define RAFTER_SIMT_CAST_FROM
#define RAFTER_SIMT_REINTERPRET_CAST reinterpret_cast

#endif
