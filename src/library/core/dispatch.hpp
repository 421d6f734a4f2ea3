// Dispatches an op to its rung for the stream's device, within the op's scope.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>

#include "library/core/error_origin.hpp"
#include "library/core/stream/op_scope.hpp"
#include "rafter/error.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

// Wraps the CUDA code of an op without rungs; nullptr in a build without CUDA.
#ifdef RAFTER_WITH_CUDA
#define RAFTER_CUDA_CALL(...) [&] { __VA_ARGS__; }
#else
#define RAFTER_CUDA_CALL(...) nullptr
#endif

namespace rafter::core {

template <class Call>
void call_or_throw(const Stream& stream, const char* op, Call&& call) {
  if constexpr (std::is_null_pointer_v<std::remove_cvref_t<Call>>) {
    throw Error(ErrorCode::unsupported,
                std::string(op) + ": this build has no implementation for device " + std::string(name(stream.device())),
                op, "stream");
  } else {
    call();
  }
}

template <class Cpu, class Cuda>
void dispatch(const Stream& stream, const char* op, Cpu&& cpu, Cuda&& cuda) {
  in_op(op, [&] {
    const OpScope scope(stream);
    switch (stream.device()) {
      case Device::cpu: return call_or_throw(stream, op, cpu);
      case Device::cuda: return call_or_throw(stream, op, cuda);
      case Device::simt: return call_or_throw(stream, op, nullptr);
    }
  });
}

#ifdef RAFTER_WITH_CUDA
inline constexpr bool has_cuda = true;
#else
inline constexpr bool has_cuda = false;
#endif

/// Calls the rung of the stream's device within the op's scope. In a build without CUDA the cuda rung is only declared.
template <const auto& cpu, const auto& cuda, class Args>
void dispatch(const char* op, const Stream& stream, const Args& args) {
  in_op(op, [&] {
    const OpScope scope(stream);
    if (stream.device() == Device::cpu) return cpu(stream, args);
    if constexpr (has_cuda) {
      if (stream.device() == Device::cuda) return cuda(stream, args);
    }
    call_or_throw(stream, op, nullptr);
  });
}

/// Instantiates all overloads that an op's header declares. An op's source file ends with `template struct
/// core::Instances<decltype(sum)>;`.
template <class Op>
struct Instances;
template <class... F>
struct Instances<const Overloads<F...>> {
  static constexpr std::tuple functions{&F::operator()...};
};

}  // namespace rafter::core
