// What goes into a * b + c.
#pragma once

namespace rafter::mul_add_ladder {

/// The inputs, n elements each.
template <class T>
struct Factors {
  const T* a;
  const T* b;
  const T* c;
};

}  // namespace rafter::mul_add_ladder
