// The inputs of a * b + c.
#pragma once

namespace rafter::mul_add_ladder {

/// The input arrays, n elements each.
template <class T>
struct Factors {
  const T* a;
  const T* b;
  const T* c;
};

}  // namespace rafter::mul_add_ladder
