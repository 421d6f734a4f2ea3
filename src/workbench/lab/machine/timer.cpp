#include "workbench/lab/machine/timer.hpp"

#include <array>

#include "rafter/error.hpp"

namespace rafter::lab {

std::string_view name(Regime regime) noexcept {
  constexpr std::array<std::string_view, 4> names{"cold", "warm", "graph", "wall"};
  return names[static_cast<std::size_t>(regime)];
}

std::unique_ptr<Timer> make_timer(const Stream& stream, double bytes_per_set) {
  if (stream.device() == Device::cpu) return make_cpu_timer(stream, bytes_per_set);
#ifdef RAFTER_WITH_CUDA
  if (stream.device() == Device::cuda) return make_cuda_timer(stream);
#endif
  throw Error(ErrorCode::unsupported, "device " + std::string(name(stream.device())) + " is not timed");
}

}  // namespace rafter::lab
