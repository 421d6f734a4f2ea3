// The objects behind the handles of the C API that more than one file uses.
#pragma once

#include "library/c_api/call.hpp"
#include "rafter/stream.hpp"

struct rafter_stream {
  rafter::Stream stream;
};

namespace rafter::c_api {

inline const Stream& stream_of(const Function& function, const rafter_stream* stream) {
  return required(function, "stream", stream).stream;
}

}  // namespace rafter::c_api
