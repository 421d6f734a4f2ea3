// Device code of the maps: loads the inputs of adjacent elements and computes their outputs.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "elementwise/elementwise_maps.hpp"
#include "library/core/bits.hpp"
#include "library/core/cuda/convert.cuh"

namespace rafter::elementwise_ladder::RAFTER_BACKEND {

/// The elements moved by one access.
template <class T, int Width>
struct alignas(Width * sizeof(T)) Piece {
  T lane[Width];
};

template <int Width, class T>
__device__ Piece<T, Width> load_piece(const T* from) {
  return *reinterpret_cast<const Piece<T, Width>*>(from);
}

/// Returns the product, rounded once; integers wrap around. T is a type that computes in itself.
template <core::OwnAccumulator T>
__device__ T product(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
  } else {
    return a * b;
  }
}

/// The NaN with all bits set but the sign, which is that of conversions to 16 bits (cvt).
template <class T>
__device__ T canonical_nan() {
  const auto bits = static_cast<core::BitsOf<T>>(core::BitsOf<T>(-1) >> 1);
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// Converts to a type that computes in itself. From is one, too: widen 16-bit elements first.
template <core::OwnAccumulator To, core::OwnAccumulator From>
__device__ To converted(From value) {
  if constexpr (core::is_float<To> && core::is_float<From>) {
    return value == value ? static_cast<To>(value) : canonical_nan<To>();
  } else if constexpr (core::is_float<To>) {
    return static_cast<To>(value);
  } else if constexpr (core::is_float<From>) {
    constexpr auto least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
    constexpr auto end = -static_cast<From>(least);
    if (value != value) return 0;
    return value >= end ? most : (value < -end ? least : static_cast<To>(value));
  } else {
    constexpr std::int64_t least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
    return static_cast<To>(min(max(std::int64_t{value}, least), most));
  }
}

/// Returns a float that has the same 16-bit float nearest to it.
template <core::OwnAccumulator From>
__device__ float to_be_rounded(From value) {
  if constexpr (std::is_same_v<From, float>) {
    return value;
  } else {
    return v1::detail::round_to_odd(v1::detail::odd_double(value));
  }
}

template <class To, class From>
__device__ auto convert_lane(From value) {
  if constexpr (sizeof(To) == 2) {
    return to_be_rounded(core::widen(value));
  } else {
    return converted<To>(core::widen(value));
  }
}

/// The inputs of Width adjacent outputs of a map. `out_of` computes the outputs; `first` is the index of the first.
template <class Map, int Width>
struct Inputs;

template <class T, int Width>
struct Inputs<Multiplication<T>, Width> {
  Piece<T, Width> a, b;

  __device__ void load(const Multiplication<T>& map, std::int64_t first) {
    a = load_piece<Width>(map.a + first);
    b = load_piece<Width>(map.b + first);
  }
  __device__ Piece<T, Width> out_of(const Multiplication<T>&, std::int64_t) const {
    core::Accumulator<T> results[Width];
#pragma unroll
    for (int i = 0; i < Width; ++i) results[i] = product(core::widen(a.lane[i]), core::widen(b.lane[i]));
    Piece<T, Width> out;
    core::round_lanes(results, out.lane);
    return out;
  }
};

template <class T, int Width>
struct Inputs<Scaling<T>, Width> {
  Piece<T, Width> a;

  __device__ void load(const Scaling<T>& map, std::int64_t first) { a = load_piece<Width>(map.a + first); }
  __device__ Piece<T, Width> out_of(const Scaling<T>& map, std::int64_t) const {
    const auto factor = core::widen(map.factor);
    core::Accumulator<T> results[Width];
#pragma unroll
    for (int i = 0; i < Width; ++i) results[i] = product(core::widen(a.lane[i]), factor);
    Piece<T, Width> out;
    core::round_lanes(results, out.lane);
    return out;
  }
};

template <class From, class To, int Width>
struct Inputs<Conversion<From, To>, Width> {
  Piece<From, Width> in;

  __device__ void load(const Conversion<From, To>& map, std::int64_t first) { in = load_piece<Width>(map.in + first); }
  __device__ Piece<To, Width> out_of(const Conversion<From, To>&, std::int64_t) const {
    if constexpr (std::is_same_v<From, To>) {
      return in;
    } else {
      core::Accumulator<To> results[Width];
#pragma unroll
      for (int i = 0; i < Width; ++i) results[i] = convert_lane<To>(in.lane[i]);
      Piece<To, Width> out;
      core::round_lanes(results, out.lane);
      return out;
    }
  }
};

template <class T, int Width>
struct Inputs<Sequence<T>, Width> {
  __device__ void load(const Sequence<T>&, std::int64_t) {}
  __device__ Piece<T, Width> out_of(const Sequence<T>& map, std::int64_t first) const {
    core::Accumulator<T> results[Width];
    if constexpr (std::is_integral_v<T>) {
      using Unsigned = std::make_unsigned_t<T>;
      const auto start = static_cast<Unsigned>(map.start), step = static_cast<Unsigned>(map.step);
#pragma unroll
      for (int i = 0; i < Width; ++i)
        results[i] = static_cast<T>(start + static_cast<Unsigned>(map.first + first + i) * step);
    } else {
      const double start = core::widen(map.start), step = core::widen(map.step);
      const auto index = static_cast<double>(map.first + first);  // exact, and so is the index of every lane
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        const double result = fma(index + i, step, start);
        if constexpr (sizeof(T) == 2) {
          results[i] = to_be_rounded(result);
        } else {
          results[i] = static_cast<T>(result);
        }
      }
    }
    Piece<T, Width> out;
    core::round_lanes(results, out.lane);
    return out;
  }
};

/// Computes one element.
template <class Map>
__device__ void compute_one(const Map& map, std::int64_t i, typename Map::Out* out) {
  Inputs<Map, 1> inputs;
  inputs.load(map, i);
  out[i] = inputs.out_of(map, i).lane[0];
}

}  // namespace rafter::elementwise_ladder::RAFTER_BACKEND
