// The maps of the elementwise ops: what is written to out[i].
#pragma once

#include <cstdint>

namespace rafter::elementwise_ladder {

/// out[i] = a[i] * b[i]
template <class T>
struct Multiplication {
  using Out = T;
  const T* a;
  const T* b;
};

/// out[i] = a[i] * factor
template <class T>
struct Scaling {
  using Out = T;
  const T* a;
  T factor;
};

/// out[i] = in[i], converted
template <class From, class To>
struct Conversion {
  using Out = To;
  const From* in;
};

/// out[i] = start + (first + i) * step
template <class T>
struct Sequence {
  using Out = T;
  T start;
  T step;
  std::int64_t first;
};

}  // namespace rafter::elementwise_ladder
