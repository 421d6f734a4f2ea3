// What holds while an op enqueues its work.
#pragma once

#include <mutex>

#include "rafter/stream.hpp"

namespace rafter::core {

class Backend;

/// Makes a device of a backend the calling thread's current one, and the former one again at its end.
class DeviceGuard {
 public:
  DeviceGuard(Backend& backend, int ordinal);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  Backend& backend_;
  int ordinal_;
  int before_;
};

/// For the length of one op its stream is nobody else's and its device is current; stream_state.hpp says why. Ops of
/// one thread may nest.
class OpScope {
 public:
  explicit OpScope(const Stream& stream);
  explicit OpScope(StreamState& state);

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  DeviceGuard device_;
};

}  // namespace rafter::core
