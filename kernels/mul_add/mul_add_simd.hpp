// The loops under the CPU mul_adds, compiled once per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"
#include "library/core/cpu/streaming_store.hpp"
#include "mul_add/mul_add_factors.hpp"

namespace rafter::mul_add_ladder::cpu {

using core::Stores;

template <class T>
using MulAddLoop = void (*)(Factors<T> in, std::int64_t n, T* out, Stores stores);

struct MulAddLoops {
  MulAddLoop<float> f32;
  MulAddLoop<double> f64;
  MulAddLoop<std::int32_t> i32;
  MulAddLoop<std::int64_t> i64;

  void operator()(Factors<float> in, std::int64_t n, float* out, Stores stores) const { f32(in, n, out, stores); }
  void operator()(Factors<double> in, std::int64_t n, double* out, Stores stores) const { f64(in, n, out, stores); }
  void operator()(Factors<std::int32_t> in, std::int64_t n, std::int32_t* out, Stores stores) const {
    i32(in, n, out, stores);
  }
  void operator()(Factors<std::int64_t> in, std::int64_t n, std::int64_t* out, Stores stores) const {
    i64(in, n, out, stores);
  }
};

/// Returns the table of loops, which compute a * b + c in one thread; `out` may be one of the inputs.
RAFTER_DECLARE_ISA_TABLE(MulAddLoops, mul_add_loops)

}  // namespace rafter::mul_add_ladder::cpu
