// Whether a stream's device can access memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "rafter/device_span.hpp"
#include "rafter/stream.hpp"

namespace rafter::core {

/// Returns why ops on the stream cannot use this memory, as a clause whose subject is the argument; else nullopt. Asks
/// for the first and the last byte.
std::optional<std::string> why_inaccessible(const Stream& stream, const void* data, std::int64_t bytes);

/// Returns elements that are known to be in memory of the device that they are used on.
template <class T>
DeviceSpan<T> on_device(std::span<T> elements) {
  return DeviceSpan<T>::unchecked(elements);
}

}  // namespace rafter::core
