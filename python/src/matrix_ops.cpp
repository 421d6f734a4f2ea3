// Matrices, images, and graphs in space.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <rafter/conv.hpp>
#include <variant>

#include "call.hpp"
#include "modules.hpp"

namespace rafter::python {

using namespace nb::literals;

namespace {

using OneOrTwo = std::variant<std::int64_t, std::pair<std::int64_t, std::int64_t>>;

std::pair<std::int64_t, std::int64_t> two_of(const OneOrTwo& given) {
  if (const auto* both = std::get_if<1>(&given)) return *both;
  return {std::get<0>(given), std::get<0>(given)};
}

/// Requires a number of axes, without which the shape of a result is unknown.
void require_axes(const char* op, const char* argument, const Array& array, int axes) {
  if (array.tensor()->ndim != axes)
    throw nb::value_error((std::string(op) + ": " + argument + " should have " + std::to_string(axes) + " axes, has " +
                           std::to_string(array.tensor()->ndim))
                              .c_str());
}

nb::object row_sums(nb::handle x, nb::handle out) {
  Call call("row_sums");
  const Array& from = call.in("x", x);
  require_axes("row_sums", "x", from, 2);
  const auto to = call.result("out", out, from.tensor()->dtype, {from.tensor()->shape[0]});
  call.run([&](rafter_stream* stream) { return rafter_row_sums(stream, from.tensor(), to.tensor()); });
  return to.object;
}

nb::object transpose(nb::handle x, nb::handle out) {
  Call call("transpose");
  const Array& from = call.in("x", x);
  require_axes("transpose", "x", from, 2);
  const std::int64_t* const shape = from.tensor()->shape;
  const auto to = call.result("out", out, from.tensor()->dtype, {shape[1], shape[0]});
  call.run([&](rafter_stream* stream) { return rafter_transpose(stream, from.tensor(), to.tensor()); });
  return to.object;
}

/// The extent of a convolution's output along one axis.
std::int64_t out_extent(std::int64_t image, std::int64_t kernel, std::int64_t pad, const MaxPool& pool) {
  const std::int64_t whole = image + 2 * pad - kernel + 1;
  return whole > 0 ? pool.out(whole) : 0;
}

nb::object conv(nb::handle x, nb::handle kernels, nb::handle bias, const OneOrTwo& padding, bool relu,
                std::int64_t pool, std::int64_t pool_stride, bool pool_ceil, const std::string& precision,
                bool winograd, nb::handle out) {
  Call call("conv");
  const Array& images = call.in("x", x);
  const Array& weights = call.in("kernels", kernels);
  require_axes("conv", "x", images, 4);
  require_axes("conv", "kernels", weights, 4);
  rafter_conv_options options{};
  options.struct_size = sizeof options;
  std::tie(options.pad_height, options.pad_width) = two_of(padding);
  options.bias = call.optional_in("bias", bias);
  options.pool_size = pool;
  options.pool_stride = pool_stride;
  options.pool_ceil = pool_ceil;
  options.relu = relu;
  options.precision = choice("conv", "precision", precision, {"fp32", "tf32", "fp16", "split_fp16"});
  options.no_winograd = !winograd;
  if (pool < 0 || pool_stride < 0) throw nb::value_error("conv: pool and pool_stride should be 0 or more");
  const std::int64_t size = pool == 0 ? 1 : pool;
  const MaxPool windows{size, pool_stride == 0 ? size : pool_stride, pool_ceil};
  const std::int64_t *const in = images.tensor()->shape, *const kernel = weights.tensor()->shape;
  const auto to = call.result("out", out, images.tensor()->dtype,
                              {in[0], kernel[0], out_extent(in[2], kernel[2], options.pad_height, windows),
                               out_extent(in[3], kernel[3], options.pad_width, windows)});
  call.run([&](rafter_stream* stream) {
    return rafter_conv(stream, images.tensor(), weights.tensor(), &options, to.tensor());
  });
  return to.object;
}

nb::object radial(nb::handle distances, nb::handle centres, float gamma, float cutoff, nb::handle out) {
  Call call("radial");
  const Array& at = call.in("distances", distances);
  const Array& of = call.in("centres", centres);
  const auto to = call.result("out", out, at.tensor()->dtype, {at.size(), of.size()});
  call.run([&](rafter_stream* stream) {
    return rafter_radial(stream, at.tensor(), of.tensor(), gamma, cutoff, to.tensor());
  });
  return to.object;
}

nb::object radial_gradient(nb::handle distances, nb::handle centres, float gamma, float cutoff, nb::handle out_gradient,
                           nb::handle gradient) {
  Call call("radial_gradient");
  const Array& at = call.in("distances", distances);
  const Array& of = call.in("centres", centres);
  const Array& given = call.in("out_gradient", out_gradient);
  const auto to = call.result("gradient", gradient, at.tensor()->dtype, {at.size()});
  call.run([&](rafter_stream* stream) {
    return rafter_radial_gradient(stream, at.tensor(), of.tensor(), gamma, cutoff, given.tensor(), to.tensor());
  });
  return to.object;
}

nb::object edge_vectors(nb::handle positions, nb::handle index) {
  Call call("edge_vectors");
  const Array& at = call.in("positions", positions);
  const Array& edges = call.in("index", index);
  require_axes("edge_vectors", "index", edges, 2);
  const std::int64_t n = edges.tensor()->shape[1];
  const auto vectors = call.result("vectors", nb::none(), at.tensor()->dtype, {n, 3});
  const auto distances = call.result("distances", nb::none(), at.tensor()->dtype, {n});
  const auto units = call.result("units", nb::none(), at.tensor()->dtype, {n, 3});
  call.run([&](rafter_stream* stream) {
    return rafter_edge_vectors(stream, at.tensor(), edges.tensor(), vectors.tensor(), distances.tensor(),
                               units.tensor());
  });
  return nb::make_tuple(vectors.object, distances.object, units.object);
}

}  // namespace

void add_matrix_ops(nb::module_& module) {
  module.def("row_sums", &row_sums, "x"_a, nb::kw_only(), "out"_a = nb::none(),
             "Returns the sum of each row of a matrix. Rows may be strided. Deterministic.");
  module.def("transpose", &transpose, "x"_a, nb::kw_only(), "out"_a = nb::none(),
             "Returns the transpose of a matrix, in memory of its own. Rows of x and out may be strided.");
  module.def("conv", &conv, "x"_a, "kernels"_a, "bias"_a = nb::none(), nb::kw_only(), "padding"_a = 0, "relu"_a = false,
             "pool"_a = 0, "pool_stride"_a = 0, "pool_ceil"_a = false, "precision"_a = "fp32", "winograd"_a = false,
             "out"_a = nb::none(),
             "Returns the cross-correlation of images [batch, channels, height, width] with kernels [maps, channels, "
             "kernel height, kernel width], plus a bias for each map, with optional ReLU and max pooling.");
  module.def("radial", &radial, "distances"_a, "centres"_a, "gamma"_a, "cutoff"_a, nb::kw_only(), "out"_a = nb::none(),
             "Returns exp(-gamma (d - centre)^2) (cos(pi d / cutoff) + 1) / 2 for each distance and centre.");
  module.def("radial_gradient", &radial_gradient, "distances"_a, "centres"_a, "gamma"_a, "cutoff"_a, "out_gradient"_a,
             nb::kw_only(), "gradient"_a = nb::none(),
             "Returns the gradient with respect to the distances of radial().");
  module.def("edge_vectors", &edge_vectors, "positions"_a, "index"_a,
             "Returns vectors r[source] - r[target], their lengths and unit vectors, for edges index [2, n].");
}

}  // namespace rafter::python
