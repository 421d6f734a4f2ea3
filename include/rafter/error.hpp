// The library's only exception type.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "rafter/export.hpp"

namespace rafter::core {
struct ErrorOrigin;
}  // namespace rafter::core

namespace rafter::inline v1 {

enum class ErrorCode {
  bad_argument,    ///< an argument is invalid; nothing was written
  unsupported,     ///< the request is valid, but this device, build or shape does not support it
  out_of_memory,   ///< an allocation failed; existing objects are unchanged
  device_failure,  ///< a CUDA call or kernel failed
  io,              ///< a file could not be read or written
};

/// An error of the library. The message names the argument or call, what was expected and what was found; op() and
/// argument() are for programs that handle errors.
///
/// Threads may share an object while none changes it.
class RAFTER_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, std::string_view op = {}, std::string_view argument = {})
      : std::runtime_error(message), code_(code) {
    if (!op.empty() || !argument.empty()) origin_ = std::make_shared<Origin>(std::string(op), std::string(argument));
  }

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

  /// Returns the op, constructor or function that threw, such as "sum" or "HeatSolver::set_field". Empty if none did.
  [[nodiscard]] std::string_view op() const noexcept { return origin_ != nullptr ? std::string_view(origin_->op) : ""; }

  /// Returns the argument of the op that the error is about, such as "out": a parameter, a field of one, or a tensor of
  /// a model. Empty if it is about none.
  [[nodiscard]] std::string_view argument() const noexcept {
    return origin_ != nullptr ? std::string_view(origin_->argument) : "";
  }

 private:
  friend struct core::ErrorOrigin;

  struct Origin {
    Origin(std::string op_name, std::string argument_name)
        : op(std::move(op_name)), argument(std::move(argument_name)) {}
    std::string op, argument;
  };

  ErrorCode code_;
  std::shared_ptr<const Origin> origin_;  // shared, so that a copy does not throw
};

}  // namespace rafter::inline v1
