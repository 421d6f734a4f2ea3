// The interface of conv's rungs: their arguments and element types.
#pragma once

#include "library/core/rung.hpp"
#include "rafter/conv.hpp"

namespace rafter::conv_ladder {

template <class T>
struct ConvArgs {
  const T* in;       // [batch][channels][height][width]
  const T* kernels;  // [maps][channels][kernel height][kernel width]
  ConvShape shape;
  ConvPrecision precision;
  const T* bias;  // [maps], or null
  bool relu;
  MaxPool pool;
  bool winograd;  // whether Winograd's algorithm is allowed
  T* out;         // [batch][maps][out height][out width], or pooled

  constexpr std::int64_t n_pixels() const { return shape.out_height() * shape.out_width(); }
  constexpr std::int64_t out_elements() const {
    return shape.batch * shape.maps * pool.out(shape.out_height()) * pool.out(shape.out_width());
  }
  constexpr bool is_plain() const { return bias == nullptr && !relu && pool.is_none(); }
};

using ConvRung = core::RungOf<ConvArgs, ConvTypes>;

/// Throws Error (unsupported) unless the case is a plain convolution in this precision. Rungs below the op call it.
template <class T>
void require_plain(const ConvArgs<T>& args, ConvPrecision precision) {
  if (args.precision != precision)
    throw Error(ErrorCode::unsupported, std::string("this rung supports precision ") + name(precision) + " only");
  if (!args.is_plain()) throw Error(ErrorCode::unsupported, "this rung supports no bias, ReLU or pooling");
}

}  // namespace rafter::conv_ladder
