#include "rafter/device.hpp"

#include <array>

#include "library/core/stream/backend.hpp"

namespace rafter {

namespace {
constexpr std::array<std::string_view, 3> names{"cpu", "cuda", "simt"};
}

std::string_view v1::name(Device device) noexcept { return names[static_cast<std::size_t>(device)]; }

std::optional<Device> v1::device_called(std::string_view wanted) noexcept {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == wanted) return static_cast<Device>(i);
  }
  return std::nullopt;
}

std::optional<std::string> v1::why_unavailable(Device device) {
  if (core::Backend* backend = core::built_backend(device)) return backend->why_unavailable();
  if (device == Device::cuda) return "this build has no CUDA support; RAFTER_CUDA=on ./rafter builds with it";
  return "the executor is part of the rafter tool, not of the library";
}

}  // namespace rafter
