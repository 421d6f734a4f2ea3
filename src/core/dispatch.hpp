// Calls the implementation of an op for the stream's device, within the op's scope.
#pragma once

#include <string>
#include <type_traits>

#include "core/op_scope.hpp"
#include "rafter/error.hpp"
#include "rafter/stream.hpp"

// The CUDA implementation of an op, or nothing in a build without CUDA.
#ifdef RAFTER_WITH_CUDA
#define RAFTER_CUDA_CALL(...) [&] { __VA_ARGS__; }
#else
#define RAFTER_CUDA_CALL(...) nullptr
#endif

namespace rafter::core {

template <class Call>
void call_or_refuse(const Stream& stream, const char* op, Call&& call) {
  if constexpr (std::is_null_pointer_v<std::remove_cvref_t<Call>>) {
    throw Error(ErrorCode::unsupported, std::string(op) + ": this build has no implementation for device " +
                                            std::string(name(stream.device())));
  } else {
    call();
  }
}

template <class Cpu, class Cuda>
void dispatch(const Stream& stream, const char* op, Cpu&& cpu, Cuda&& cuda) {
  const OpScope scope(stream);
  switch (stream.device()) {
    case Device::cpu: return call_or_refuse(stream, op, cpu);
    case Device::cuda: return call_or_refuse(stream, op, cuda);
    case Device::simt: return call_or_refuse(stream, op, nullptr);
  }
}

}  // namespace rafter::core
