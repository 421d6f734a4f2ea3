// Ops on matrices and images: row sums, transpose, convolution.
#include "library/c_api/tensors.hpp"
#include "rafter/conv.hpp"
#include "rafter/rows.hpp"
#include "rafter/transpose.hpp"

namespace rafter::c_api {

namespace {

/// Returns a matrix of elements of `element_bytes` bytes as one of bytes.
template <class Byte>
MatrixView<Byte> bytes_of(const Tensors& given, const char* argument, const rafter_tensor& tensor,
                          std::int64_t element_bytes) {
  const std::int64_t n_cols = tensor.shape[1];
  return MatrixView<Byte>::unchecked(static_cast<Byte*>(given.device_address(argument, tensor)),
                                     {tensor.shape[0], n_cols * element_bytes},
                                     given.stride(argument, tensor, 0, n_cols) * element_bytes);
}

MaxPool pool_of(const Function& function, const rafter_conv_options& options) {
  if (options.pool_size < 0 || options.pool_stride < 0)
    refuse(function, "options.pool_size", "and pool_stride should be 0 or more");
  if (options.pool_size == 0) {
    if (options.pool_stride != 0) refuse(function, "options.pool_size", "is 0, but pool_stride is not");
    return {};
  }
  return {.size = options.pool_size,
          .stride = options.pool_stride == 0 ? options.pool_size : options.pool_stride,
          .ceil = options.pool_ceil != 0};
}

ConvShape conv_shape(const Function& function, const rafter_tensor& in, const rafter_tensor& kernels,
                     const rafter_conv_options& options) {
  if (kernels.shape[1] != in.shape[1])
    refuse(
        function, "kernels",
        "should have the " + std::to_string(in.shape[1]) + " channels of in, has " + std::to_string(kernels.shape[1]));
  for (const std::int64_t pad : {options.pad_height, options.pad_width}) {
    if (pad < 0 || pad > 1 << 30)
      refuse(function, "options.pad_height", "and pad_width should be from 0 to 2^30, one is " + std::to_string(pad));
  }
  return {.batch = in.shape[0],
          .channels = in.shape[1],
          .height = in.shape[2],
          .width = in.shape[3],
          .maps = kernels.shape[0],
          .kernel_height = kernels.shape[2],
          .kernel_width = kernels.shape[3],
          .pad_height = options.pad_height,
          .pad_width = options.pad_width};
}

}  // namespace

}  // namespace rafter::c_api

namespace c = rafter::c_api;

rafter_status rafter_row_sums(const rafter_stream* stream, const rafter_tensor* in, const rafter_tensor* out) noexcept {
  return c::guarded(c::Function("rafter_row_sums"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    given.for_type(rafter::RowsTypes{}, "in", in, [&]<class T>() {
      const auto matrix = given.matrix<const T>("in", in);
      rafter::row_sums(given.stream(), matrix, given.array<T>("out", out, {in->shape[0]}));
    });
  });
}

rafter_status rafter_transpose(const rafter_stream* stream, const rafter_tensor* in,
                               const rafter_tensor* out) noexcept {
  return c::guarded(c::Function("rafter_transpose"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    given.require_shape("in", in, {c::any, c::any});
    given.require_shape("out", out, {in->shape[1], in->shape[0]});
    const rafter_dtype& type = in->dtype;
    if (type.code != out->dtype.code || type.bits != out->dtype.bits || type.lanes != out->dtype.lanes)
      c::refuse(function, "out", "should be " + c::type_name(type) + ", is " + c::type_name(out->dtype));
    const int bits = type.bits * type.lanes, bytes = bits / 8;
    if (bits % 8 != 0 || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16))
      c::refuse(function, "in", "should have elements of 1, 2, 4, 8 or 16 bytes, is " + c::type_name(type));
    rafter::transpose(given.stream(), c::bytes_of<const std::byte>(given, "in", *in, bytes), bytes,
                      c::bytes_of<std::byte>(given, "out", *out, bytes));
  });
}

rafter_status rafter_conv(const rafter_stream* stream, const rafter_tensor* in, const rafter_tensor* kernels,
                          const rafter_conv_options* options, const rafter_tensor* out) noexcept {
  return c::guarded(c::Function("rafter_conv"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    const auto wanted =
        options ? c::read_struct(function, "options", options, sizeof(rafter_conv_options)) : rafter_conv_options{};
    const auto precision =
        c::enumerator(function, "options.precision", wanted.precision, rafter::ConvPrecision::split_fp16);
    const rafter::MaxPool pool = c::pool_of(function, wanted);
    given.for_type(rafter::ConvTypes{}, "in", in, [&]<class T>() {
      const auto images = given.array<const T>("in", in, {c::any, c::any, c::any, c::any});
      const auto weights = given.array<const T>("kernels", kernels, {c::any, c::any, c::any, c::any});
      const rafter::ConvShape shape = c::conv_shape(function, *in, *kernels, wanted);
      const rafter::ConvOptions<T> converted{
          .precision = precision,
          .bias = given.optional_array<const T>("options.bias", wanted.bias, {shape.maps}),
          .relu = wanted.relu != 0,
          .pool = pool,
          .winograd = wanted.no_winograd == 0};
      if (shape.out_height() > 0 && shape.out_width() > 0)  // otherwise the op refuses the shape
        given.require_shape("out", out,
                            {shape.batch, shape.maps, pool.out(shape.out_height()), pool.out(shape.out_width())});
      rafter::conv(given.stream(), images, weights, shape, converted, given.array<T>("out", out));
    });
  });
}
