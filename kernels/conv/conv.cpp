// conv: checks its arguments and calls the best rung of the stream's device.
#include "conv/conv_rung.hpp"
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"

namespace rafter {

namespace conv_ladder {
namespace cpu {
extern const ConvRung vectorised;
}
namespace cuda {
extern const ConvRung by_shape;
}
}  // namespace conv_ladder

namespace {

/// Throws Error (bad_argument) unless all extents are in range and the arrays' bytes fit in 64 bits.
void require_conv_shape(const ConvShape& shape, const MaxPool& pool) {
  const auto refuse = [](const std::string& complaint) { core::refuse("conv", "shape", complaint); };
  constexpr std::int64_t most = std::int64_t{1} << 30;
  const struct {
    const char* name;
    std::int64_t value, least;
  } extents[] = {{"batch", shape.batch, 0},
                 {"channels", shape.channels, 1},
                 {"height", shape.height, 1},
                 {"width", shape.width, 1},
                 {"maps", shape.maps, 1},
                 {"kernel_height", shape.kernel_height, 1},
                 {"kernel_width", shape.kernel_width, 1},
                 {"pad_height", shape.pad_height, 0},
                 {"pad_width", shape.pad_width, 0},
                 {"pool.size", pool.size, 1},
                 {"pool.stride", pool.stride, 1}};
  for (const auto& [name, value, least] : extents) {
    if (value < least || value > most)
      refuse(std::string("must have ") + name + " from " + std::to_string(least) + " to 2^30, has " +
             std::to_string(value));
  }
  if (shape.out_height() < 1 || shape.out_width() < 1) {
    refuse("must have kernels that fit into the padded image: " + std::to_string(shape.kernel_height) + " x " +
           std::to_string(shape.kernel_width) + " is more than " + std::to_string(shape.height + 2 * shape.pad_height) +
           " x " + std::to_string(shape.width + 2 * shape.pad_width));
  }
  const double planes = static_cast<double>(shape.batch) * static_cast<double>(shape.channels + shape.maps) *
                        static_cast<double>(shape.height + 2 * shape.pad_height) *
                        static_cast<double>(shape.width + 2 * shape.pad_width);
  const double weights = static_cast<double>(shape.maps) * static_cast<double>(shape.channels) *
                         static_cast<double>(shape.kernel_height) * static_cast<double>(shape.kernel_width);
  if (planes > 0x1p59 || weights > 0x1p31) refuse("must have at most 2^59 pixels and 2^31 weights, has more");
}

}  // namespace

template <class T>
void detail::Conv<T>::operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<const T> kernels,
                                 const ConvShape& shape, const ConvOptions<std::type_identity_t<T>>& options,
                                 DeviceSpan<T> out) const {
  using namespace conv_ladder;
  require_conv_shape(shape, options.pool);
  const ConvArgs<T> args{in.data(),
                         kernels.data(),
                         shape,
                         options.precision,
                         options.bias.empty() ? nullptr : options.bias.data(),
                         options.relu,
                         options.pool,
                         options.winograd,
                         out.data()};
  core::require_size("conv", "in", in, shape.batch * shape.image());
  core::require_size("conv", "kernels", kernels, shape.maps * shape.kernel());
  if (!options.bias.empty()) core::require_size("conv", "bias", options.bias, shape.maps);
  core::require_size("conv", "out", out, args.out_elements());
  for (const auto& [name, array] : {std::pair("in", in), {"kernels", kernels}, {"bias", options.bias}}) {
    core::require_array(stream, "conv", name, array);
    core::require_disjoint("conv", name, array, "out", out);
  }
  core::require_array(stream, "conv", "out", out);
  core::dispatch<cpu::vectorised, cuda::by_shape>("conv", stream, args);
}

template struct core::Instances<decltype(conv)>;

}  // namespace rafter
