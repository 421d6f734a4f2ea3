// Names the op in errors that are thrown below it, where the op is not known. Header-only, because both libraries use
// it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "rafter/error.hpp"

namespace rafter::core {

struct ErrorOrigin {
  /// Sets the op and the argument of an error that has none.
  static void complete(Error& error, std::string_view op, std::string_view argument) {
    if (!error.op().empty() && (!error.argument().empty() || argument.empty())) return;
    error.origin_ =
        std::make_shared<Error::Origin>(std::string(error.op().empty() ? op : error.op()),
                                        std::string(error.argument().empty() ? argument : error.argument()));
  }
};

/// Returns call(). An Error that leaves it without an op, or without an argument, gets these.
template <class Call>
decltype(auto) in_op(const char* op, const char* argument, Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (Error& error) {
    ErrorOrigin::complete(error, op, argument);
    throw;
  }
}
template <class Call>
decltype(auto) in_op(const char* op, Call&& call) {
  return in_op(op, "", std::forward<Call>(call));
}

}  // namespace rafter::core
