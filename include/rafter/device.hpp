// The devices that kernels run on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rafter/export.hpp"

namespace rafter::inline v1 {

enum class Device {
  cpu,   ///< native code on the host's cores
  cuda,  ///< a GPU
  simt,  ///< CUDA source run on the CPU by the executor
};

[[nodiscard]] RAFTER_API std::string_view name(Device device) noexcept;

/// Returns the device called `name`, or nullopt.
[[nodiscard]] RAFTER_API std::optional<Device> device_called(std::string_view name) noexcept;

/// Returns why `device` cannot be used by this process, as a sentence, or nullopt if it can.
[[nodiscard]] RAFTER_API std::optional<std::string> why_unavailable(Device device);

}  // namespace rafter::inline v1
