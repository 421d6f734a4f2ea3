// The tensors of a call: checks them and returns them as the arrays that the C++ ops take.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>

#include "library/c_api/handles.hpp"
#include "library/core/dtype.hpp"
#include "rafter/device_span.hpp"
#include "rafter/grid.hpp"
#include "rafter/matrix.hpp"

namespace rafter::c_api {

template <class T>
constexpr std::uint8_t type_code_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>)
    return RAFTER_TYPE_UINT;
  else if constexpr (std::is_same_v<T, Bfloat16>)
    return RAFTER_TYPE_BFLOAT;
  else
    return core::is_float<T> ? RAFTER_TYPE_FLOAT : RAFTER_TYPE_INT;
}
template <class T>
inline constexpr std::uint8_t type_code = type_code_of<T>();

template <class T>
bool has_type(const rafter_dtype& dtype) {
  return dtype.code == type_code<T> && dtype.bits == 8 * sizeof(T) && dtype.lanes == 1;
}

/// Returns the name of an element type: "float32", "uint8x4", "type code 9 of 4 bits".
std::string type_name(const rafter_dtype& dtype);

/// The names of element types, as a choice: "float32, float64 or int32".
template <class... T>
std::string choice_of(Types<T...>) {
  std::string names;
  std::size_t left = sizeof...(T);
  ((names += (names.empty() ? ""
              : left == 1   ? " or "
                            : ", ") +
             type_name({type_code<T>, static_cast<std::uint8_t>(8 * sizeof(T)), 1}),
    --left),
   ...);
  return names;
}

/// Calls body.operator()<T>() with the T of a list that `dtype` is.
template <class... T, class Body>
void for_type(const Function& function, Types<T...> types, const char* argument, const rafter_dtype& dtype,
              Body&& body) {
  const auto tried = [&]<class U>() {
    if (!has_type<U>(dtype)) return false;
    body.template operator()<U>();
    return true;
  };
  if (!(tried.template operator()<T>() || ...))
    refuse(function, argument, "should be " + choice_of(types) + ", is " + type_name(dtype));
}

/// An extent of an expected shape that accepts every value.
inline constexpr std::int64_t any = -1;
using Shape = std::initializer_list<std::int64_t>;

/// Checks the tensors of one call against its stream. All functions throw Error (bad_argument) that names the argument.
class Tensors {
 public:
  Tensors(const Function& function, const rafter_stream* stream)
      : function_(function), stream_(stream_of(function, stream)) {}
  Tensors(const Function& function, const Stream& stream) : function_(function), stream_(stream) {}

  const Stream& stream() const noexcept { return stream_; }

  /// Calls body.operator()<T>() with the tensor's element type, which must be in the list.
  template <class List, class Body>
  void for_type(List types, const char* argument, const rafter_tensor* tensor, Body&& body) const {
    c_api::for_type(function_, types, argument, valid(argument, tensor).dtype, body);
  }

  /// Returns a contiguous tensor of any shape as an array.
  template <class T>
  DeviceSpan<T> array(const char* argument, const rafter_tensor* tensor) const {
    T* const data = contiguous<T>(argument, tensor);  // checks that there is a tensor
    return DeviceSpan<T>::unchecked(data, size(*tensor));
  }

  /// Returns a contiguous tensor of the expected shape, in which `any` accepts every extent.
  template <class T>
  DeviceSpan<T> array(const char* argument, const rafter_tensor* tensor, Shape shape) const {
    require_shape(argument, tensor, shape);
    return array<T>(argument, tensor);
  }

  /// Returns an array that may be absent: empty for a null tensor.
  template <class T>
  DeviceSpan<T> optional_array(const char* argument, const rafter_tensor* tensor, Shape shape) const {
    return tensor ? array<T>(argument, tensor, shape) : DeviceSpan<T>{};
  }

  /// Returns the only element of a tensor.
  template <class T>
  DeviceSpan<T> element(const char* argument, const rafter_tensor* tensor) const {
    T* const data = contiguous<T>(argument, tensor);
    if (size(*tensor) != 1) refuse(function_, argument, "should have 1 element, has " + std::to_string(size(*tensor)));
    return DeviceSpan<T>::unchecked(data, 1);
  }

  /// Returns a matrix whose rows may be strided.
  template <class T>
  MatrixView<T> matrix(const char* argument, const rafter_tensor* tensor) const {
    require_shape(argument, tensor, {any, any});
    const std::int64_t* const shape = tensor->shape;
    const std::int64_t row_stride = stride(argument, *tensor, 0, shape[1]);
    return MatrixView<T>::unchecked(data<T>(argument, tensor), {shape[0], shape[1]}, row_stride);
  }

  /// Returns a field whose rows and planes may be strided.
  template <class T>
  GridView<T> field(const char* argument, const rafter_tensor* tensor) const {
    require_shape(argument, tensor, {any, any, any});
    const std::int64_t* const shape = tensor->shape;
    const std::int64_t row_stride = stride(argument, *tensor, 1, shape[2]);
    std::int64_t plane = 0;
    if (__builtin_mul_overflow(shape[1], row_stride, &plane))
      refuse(function_, argument, "should have planes of fewer than 2^63 elements");
    const std::int64_t plane_stride = stride(argument, *tensor, 0, plane - (row_stride - shape[2]));
    return GridView<T>::unchecked(data<T>(argument, tensor), {shape[0], shape[1], shape[2]}, row_stride, plane_stride);
  }

  /// Returns a contiguous tensor in host memory.
  template <class T>
  std::span<T> host(const char* argument, const rafter_tensor* tensor, Shape shape) const {
    require_shape(argument, tensor, shape);
    require_type<T>(argument, *tensor);
    require_host(argument, *tensor);
    require_contiguous(argument, *tensor);
    return {static_cast<T*>(address(argument, *tensor)), static_cast<std::size_t>(size(*tensor))};
  }

  /// Requires the rank and the extents of a shape, in which `any` accepts every extent.
  void require_shape(const char* argument, const rafter_tensor* tensor, Shape shape) const;

  /// Requires the extents of another tensor.
  void require_same_shape(const char* argument, const rafter_tensor* tensor, const rafter_tensor& other) const;

  /// Returns the tensor if it is not null and its shape is valid.
  const rafter_tensor& valid(const char* argument, const rafter_tensor* tensor) const;

  /// Returns the number of elements of a valid tensor.
  static std::int64_t size(const rafter_tensor& tensor) noexcept;

  /// Returns the first element of a tensor of T on the stream's device.
  template <class T>
  T* data(const char* argument, const rafter_tensor* tensor) const {
    require_type<T>(argument, valid(argument, tensor));
    T* const first = static_cast<T*>(device_address(argument, *tensor));
    if (reinterpret_cast<std::uintptr_t>(first) % alignof(T) != 0)
      refuse(function_, argument, "should be aligned to its elements of " + std::to_string(alignof(T)) + " bytes");
    return first;
  }

  /// Returns the first byte of a tensor on the stream's device.
  void* device_address(const char* argument, const rafter_tensor& tensor) const;

  /// Returns the stride of an axis, which must be at least `least`; `least` if the axis has fewer than two elements.
  /// The last axis must be contiguous.
  std::int64_t stride(const char* argument, const rafter_tensor& tensor, int axis, std::int64_t least) const;

 private:
  template <class T>
  T* contiguous(const char* argument, const rafter_tensor* tensor) const {
    T* const first = data<T>(argument, tensor);
    require_contiguous(argument, *tensor);
    return first;
  }

  template <class T>
  void require_type(const char* argument, const rafter_tensor& tensor) const {
    if constexpr (!std::is_same_v<std::remove_const_t<T>, std::byte>)
      c_api::for_type(function_, Types<std::remove_const_t<T>>{}, argument, tensor.dtype, []<class>() {});
  }

  void require_contiguous(const char* argument, const rafter_tensor& tensor) const;
  void require_host(const char* argument, const rafter_tensor& tensor) const;
  void* address(const char* argument, const rafter_tensor& tensor) const;

  const Function& function_;
  const Stream& stream_;
};

}  // namespace rafter::c_api
