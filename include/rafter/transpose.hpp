// The transpose of a matrix.
#pragma once

#include <cstddef>
#include <type_traits>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/matrix.hpp"
#include "rafter/stream.hpp"

namespace rafter::inline v1 {

/// Writes the transpose of `in`, a row-major matrix of `shape`, to `out`: a row-major matrix of n_cols rows and n_rows
/// columns. Elements have 1, 2, 4, 8 or 16 bytes and are copied bit by bit. Fast for every aspect ratio. The caller
/// owns both arrays, in memory of the stream's device; they must not overlap, and each must be aligned to its element
/// size.
///
/// One launch, no allocation, no synchronisation; may be captured in a CUDA graph. Throws Error (bad_argument) when the
/// spans do not fit the shape, are misaligned or overlap.
RAFTER_API void transpose(const Stream& stream, DeviceSpan<const std::byte> in, MatrixShape shape, int element_bytes,
                          DeviceSpan<std::byte> out);

/// Transposes a strided matrix. Columns and strides are in bytes, multiples of the element size.
RAFTER_API void transpose(const Stream& stream, MatrixView<const std::byte> in, int element_bytes,
                          MatrixView<std::byte> out);

namespace detail {
template <class T>
concept Transposable = std::is_trivially_copyable_v<T> &&  // elements are copied byte by byte
    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
}  // namespace detail

/// Typed overloads: `transpose<float>(stream, in, {1000, 10}, out)` and `transpose<float>(stream, in, out)`.
template <detail::Transposable T>
void transpose(const Stream& stream, DeviceSpan<const std::type_identity_t<T>> in, MatrixShape shape,
               DeviceSpan<std::type_identity_t<T>> out) {
  transpose(stream, in.bytes(), shape, static_cast<int>(sizeof(T)), out.bytes());
}
template <detail::Transposable T>
void transpose(const Stream& stream, MatrixView<const std::type_identity_t<T>> in,
               MatrixView<std::type_identity_t<T>> out) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  transpose(stream,
            MatrixView<const std::byte>::unchecked(reinterpret_cast<const std::byte*>(in.data),
                                                   {in.n_rows, in.n_cols * size}, in.row_stride * size),
            static_cast<int>(size),
            MatrixView<std::byte>::unchecked(reinterpret_cast<std::byte*>(out.data), {out.n_rows, out.n_cols * size},
                                             out.row_stride * size));
}

}  // namespace rafter::inline v1
