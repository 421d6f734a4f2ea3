// radial and radial_gradient: check their arguments and call the best rung of the stream's device.
#include <string>

#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"
#include "radial/radial_rung.hpp"

namespace rafter {

namespace radial_ladder {
namespace cpu {
extern const RadialRung threads;
}
namespace cuda {
extern const RadialRung tiled;
}
}  // namespace radial_ladder

namespace {

using radial_ladder::RadialInput;

RadialInput checked_radial_input(const Stream& stream, const char* op, DeviceSpan<const float> distances,
                                 const RadialGaussians& functions) {
  core::require_array(stream, op, "distances", distances);
  core::require_array(stream, op, "functions.centres", functions.centres);
  if (!(functions.gamma >= 0))
    core::refuse(op, "functions.gamma", "must be 0 or more, is " + std::to_string(functions.gamma));
  if (!(functions.cutoff > 0))
    core::refuse(op, "functions.cutoff", "must be more than 0, is " + std::to_string(functions.cutoff));
  return {.distances = distances.data(),
          .n_edges = distances.size(),
          .centres = functions.centres.data(),
          .n_centres = functions.centres.size(),
          .gamma = functions.gamma,
          .cutoff = functions.cutoff};
}

void require_radial_output(const Stream& stream, const char* op, const char* argument, DeviceSpan<float> out,
                           std::initializer_list<DeviceSpan<const float>> inputs) {
  core::require_array(stream, op, argument, out);
  for (const DeviceSpan<const float> in : inputs) core::require_disjoint(op, "an input", in, argument, out);
}

}  // namespace

void v1::radial(const Stream& stream, DeviceSpan<const float> distances, const RadialGaussians& functions,
                DeviceSpan<float> out) {
  using namespace radial_ladder;
  const RadialInput in = checked_radial_input(stream, "radial", distances, functions);
  core::require_size("radial", "out", out, in.n_values());
  require_radial_output(stream, "radial", "out", out, {distances, functions.centres});
  core::dispatch<cpu::threads, cuda::tiled>("radial", stream, RadialArgs{in, out.data()});
}

void v1::radial_gradient(const Stream& stream, DeviceSpan<const float> distances, const RadialGaussians& functions,
                         DeviceSpan<const float> out_gradient, DeviceSpan<float> gradient) {
  using namespace radial_ladder;
  constexpr const char* op = "radial_gradient";
  const RadialInput in = checked_radial_input(stream, op, distances, functions);
  core::require_size(op, "out_gradient", out_gradient, in.n_values());
  core::require_array(stream, op, "out_gradient", out_gradient);
  core::require_size(op, "gradient", gradient, in.n_edges);
  require_radial_output(stream, op, "gradient", gradient, {distances, functions.centres, out_gradient});
  core::dispatch<cpu::threads, cuda::tiled>(op, stream, RadialGradientArgs{in, out_gradient.data(), gradient.data()});
}

}  // namespace rafter
