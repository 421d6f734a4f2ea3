// The library's only exception type.
#pragma once

#include <stdexcept>
#include <string>

#include "rafter/export.hpp"

namespace rafter {

enum class ErrorCode {
  bad_argument,    ///< an argument is invalid; nothing was written
  unsupported,     ///< the request is valid, but this device, build or shape does not support it
  out_of_memory,   ///< an allocation failed; existing objects are unchanged
  device_failure,  ///< a CUDA call or kernel failed
  io,              ///< a file could not be read or written
};

/// An error of the library. The message names the argument or call, what was expected and what was found.
class RAFTER_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace rafter
