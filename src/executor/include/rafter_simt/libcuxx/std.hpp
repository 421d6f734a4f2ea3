// cuda::std: the host's standard library, whose functions kernels may call here. Types with a scope (atomics, barriers,
// latches, semaphores) are the executor's own and have their own headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace cuda {
namespace std {

using namespace ::std;

#if __cplusplus < 202002L  // libcu++ has them in C++17, too
template <class T>
struct remove_cvref {
  using type = ::std::remove_cv_t<::std::remove_reference_t<T>>;
};
template <class T>
using remove_cvref_t = typename remove_cvref<T>::type;
template <class T>
struct type_identity {
  using type = T;
};
template <class T>
using type_identity_t = T;
#endif

}  // namespace std
}  // namespace cuda
