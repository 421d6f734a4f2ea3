// Replaces the part of TVM-FFI that kernels for FlashInfer-Bench use: tensors as arguments, checks that throw, and
// exported functions. A function is exported as in TVM-FFI, with its arguments packed, so that any code can call it.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "rafter_simt/api/functions.hpp"
#include "rafter_simt/ffi/dlpack.hpp"

/// One packed argument.
struct TVMFFIAny {
  enum Kind : std::int32_t { integer, number, tensor } kind;
  union {
    std::int64_t v_int64;
    double v_float64;
    void* v_ptr;
  };
};

using TVMFFIStreamHandle = void*;
/// The stream that a function is to use: the default one.
inline TVMFFIStreamHandle TVMFFIEnvGetStream(std::int32_t, std::int32_t) { return nullptr; }

inline bool operator==(const DLDataType& a, const DLDataType& b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
inline bool operator!=(const DLDataType& a, const DLDataType& b) { return !(a == b); }
inline bool operator==(const DLDevice& a, const DLDevice& b) {
  return a.device_type == b.device_type && a.device_id == b.device_id;
}
inline bool operator!=(const DLDevice& a, const DLDevice& b) { return !(a == b); }

namespace tvm::ffi {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Collects a message and throws it at the end of the statement.
class Thrower {
 public:
  explicit Thrower(const std::string& what) { text_ << what; }
  [[noreturn]] ~Thrower() noexcept(false) { throw Error(text_.str()); }
  std::ostream& stream() { return text_; }

 private:
  std::ostringstream text_;
};

/// Extents or strides.
class ShapeView {
 public:
  ShapeView(const std::int64_t* data, std::size_t size) : data_(data), size_(size) {}
  std::int64_t operator[](std::size_t i) const { return data_[i]; }
  std::int64_t at(std::size_t i) const {
    if (i >= size_) throw Error("IndexError: a dimension that the tensor does not have");
    return data_[i];
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const std::int64_t* data() const { return data_; }
  const std::int64_t* begin() const { return data_; }
  const std::int64_t* end() const { return data_ + size_; }
  std::int64_t front() const { return at(0); }
  std::int64_t back() const { return at(size_ - 1); }
  std::int64_t Product() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : *this) product *= extent;
    return product;
  }

 private:
  const std::int64_t* data_;
  std::size_t size_;
};

/// A tensor in memory of the caller. Arrays are contiguous here.
class TensorView {
 public:
  TensorView(const DLTensor* tensor) : tensor_(*tensor) {}  // NOLINT: converted implicitly, as in TVM-FFI
  void* data_ptr() const { return tensor_.data; }
  DLDevice device() const { return tensor_.device; }
  DLDataType dtype() const { return tensor_.dtype; }
  std::int32_t ndim() const { return tensor_.ndim; }
  ShapeView shape() const { return {tensor_.shape, static_cast<std::size_t>(tensor_.ndim)}; }
  ShapeView strides() const { return {tensor_.strides, static_cast<std::size_t>(tensor_.ndim)}; }
  /// The extent of a dimension; a negative one counts from the last.
  std::int64_t size(std::int64_t i) const { return shape().at(place(i)); }
  std::int64_t stride(std::int64_t i) const { return strides().at(place(i)); }
  std::int64_t numel() const { return shape().Product(); }
  std::int64_t byte_offset() const { return static_cast<std::int64_t>(tensor_.byte_offset); }
  bool IsContiguous() const { return true; }
  bool is_contiguous() const { return true; }
  const DLTensor* GetDLTensorPtr() const { return &tensor_; }
  const DLTensor* operator->() const { return &tensor_; }

 private:
  std::size_t place(std::int64_t i) const { return static_cast<std::size_t>(i < 0 ? i + tensor_.ndim : i); }
  DLTensor tensor_;
};
using Tensor = TensorView;

/// Sets the current device for a scope: there is one.
struct CUDADeviceGuard {
  explicit CUDADeviceGuard(int) {}
};

namespace detail {

[[noreturn]] inline void wrong_argument(std::int32_t i) {
  throw Error("TypeError: argument " + std::to_string(i) + " has another type than the exported function's");
}

template <class P>
std::decay_t<P> unpacked(const TVMFFIAny& any, std::int32_t i) {
  using Value = std::decay_t<P>;
  if constexpr (std::is_arithmetic_v<Value>) {
    if (any.kind == TVMFFIAny::tensor) wrong_argument(i);
    if constexpr (std::is_integral_v<Value>) {
      if (any.kind == TVMFFIAny::number) wrong_argument(i);
    }
    return static_cast<Value>(any.kind == TVMFFIAny::number ? any.v_float64 : static_cast<double>(any.v_int64));
  } else {
    if (any.kind != TVMFFIAny::tensor) wrong_argument(i);
    return static_cast<DLTensor*>(any.v_ptr);
  }
}

template <class... P, std::size_t... I>
void call(void (*function)(P...), const TVMFFIAny* arguments, std::int32_t n, std::index_sequence<I...>) {
  if (n != static_cast<std::int32_t>(sizeof...(P)))
    throw Error("TypeError: the exported function takes " + std::to_string(sizeof...(P)) + " arguments instead of " +
                std::to_string(n));
  function(unpacked<P>(arguments[I], static_cast<std::int32_t>(I))...);
}
template <class... P>
void call(void (*function)(P...), const TVMFFIAny* arguments, std::int32_t n) {
  call(function, arguments, n, std::index_sequence_for<P...>());
}

}  // namespace detail
}  // namespace tvm::ffi

#define TVM_FFI_DLL_EXPORT_TYPED_FUNC(name, function)                                              \
  extern "C" int __tvm_ffi_##name(void*, const TVMFFIAny* arguments, std::int32_t n, TVMFFIAny*) { \
    ::tvm::ffi::detail::call(function, arguments, n);                                              \
    return 0;                                                                                      \
  }
#define TVM_FFI_THROW(kind) ::tvm::ffi::Thrower(#kind ": ").stream()
#define TVM_FFI_CHECK(condition, kind) \
  if (!(condition)) TVM_FFI_THROW(kind) << #condition " is false: "
#define TVM_FFI_ICHECK(condition) TVM_FFI_CHECK(condition, InternalError)
#define TVM_FFI_ICHECK_EQ(a, b) TVM_FFI_ICHECK((a) == (b))
#define TVM_FFI_ICHECK_NE(a, b) TVM_FFI_ICHECK((a) != (b))
#define TVM_FFI_ICHECK_LT(a, b) TVM_FFI_ICHECK((a) < (b))
#define TVM_FFI_ICHECK_LE(a, b) TVM_FFI_ICHECK((a) <= (b))
#define TVM_FFI_ICHECK_GT(a, b) TVM_FFI_ICHECK((a) > (b))
#define TVM_FFI_ICHECK_GE(a, b) TVM_FFI_ICHECK((a) >= (b))
#define TVM_FFI_CHECK_EQ(a, b, kind) TVM_FFI_CHECK((a) == (b), kind)
#define TVM_FFI_CHECK_NE(a, b, kind) TVM_FFI_CHECK((a) != (b), kind)
#define TVM_FFI_INLINE inline

namespace rafter_simt::ffi {

/// A contiguous tensor on the GPU, and one packed argument that refers to it.
class PackedTensor {
 public:
  PackedTensor(const void* data, DLDataType type, std::initializer_list<std::int64_t> extents)
      : tensor_{.data = const_cast<void*>(data),
                .device = {kDLCUDA, 0},
                .ndim = static_cast<std::int32_t>(extents.size()),
                .dtype = type,
                .shape = shape_.data(),
                .strides = strides_.data(),
                .byte_offset = 0} {
    std::size_t n = 0;
    for (const std::int64_t extent : extents) shape_.at(n++) = extent;
    std::int64_t stride = 1;
    for (; n > 0; --n) {
      strides_.at(n - 1) = stride;
      stride *= shape_.at(n - 1);
    }
  }
  PackedTensor(const PackedTensor&) = delete;
  PackedTensor& operator=(const PackedTensor&) = delete;

  operator TVMFFIAny() { return {.kind = TVMFFIAny::tensor, .v_ptr = &tensor_}; }  // NOLINT: in a list of arguments

 private:
  std::array<std::int64_t, 16> shape_{}, strides_{};
  DLTensor tensor_;
};

inline TVMFFIAny packed(double value) { return {.kind = TVMFFIAny::number, .v_float64 = value}; }
inline TVMFFIAny packed(float value) { return packed(static_cast<double>(value)); }
inline TVMFFIAny packed(std::int64_t value) { return {.kind = TVMFFIAny::integer, .v_int64 = value}; }
inline TVMFFIAny packed(std::int32_t value) { return packed(std::int64_t{value}); }

}  // namespace rafter_simt::ffi
