// The kinds of machine a kernel runs on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rafter {

enum class Device {
  cpu,   ///< native code on the host's cores
  cuda,  ///< a GPU
  simt,  ///< CUDA source on the CPU executor
};

std::string_view name(Device device) noexcept;

/// The device called `name`, or nothing.
std::optional<Device> device_called(std::string_view name) noexcept;

/// Nothing when work can run on `device` here and now; otherwise a sentence that says why not.
std::optional<std::string> why_unavailable(Device device);

}  // namespace rafter
