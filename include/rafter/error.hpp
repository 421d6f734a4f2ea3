// The one exception type of the library.
#pragma once

#include <stdexcept>
#include <string>

namespace rafter {

enum class ErrorCode {
  bad_argument,    ///< the caller passed something that cannot be right; nothing was written
  unsupported,     ///< right in itself, but not on this device, build or shape
  out_of_memory,   ///< an allocation failed; what existed before still does
  device_failure,  ///< a CUDA call or kernel failed
  io,              ///< a file could not be read or written
};

/// Says what was expected, what came and which argument or call it was about.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace rafter
