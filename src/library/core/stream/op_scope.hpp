// The scope in which an op enqueues its work.
#pragma once

#include <mutex>

#include "rafter/stream.hpp"

namespace rafter::core {

class Backend;

/// Makes a device of a backend the calling thread's current one and restores the previous one.
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

/// Gives one op exclusive use of its stream and makes the stream's device current; stream_state.hpp explains why. Ops
/// of one thread may nest.
class OpScope {
 public:
  explicit OpScope(const Stream& stream);
  explicit OpScope(StreamState& state);

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  DeviceGuard device_;
};

}  // namespace rafter::core
