// The order of elements as an order of integers: an element's bits become a signed integer, its key, and the element
// searched for has the greatest key. So one loop and one kernel serve the minimum and the maximum of all types of a
// size.
#pragma once

#include <cstdint>

namespace rafter::extrema_ladder {

/// Maps words to keys. `Key` is the type to compute in: the word itself, or a wider integer.
///
/// A float's bits are its sign and its magnitude. Inverting the magnitude of negative ones gives the order of numbers,
/// with -0 below +0; inverting all bits reverses it for the minimum. A NaN has a greater magnitude than infinity and
/// gets the greatest key.
template <class Key>
struct Order {
  Key magnitude;  // the mask of a float's magnitude; 0 for integers
  Key infinity;   // words whose magnitude is greater are NaN; the greatest word for integers
  Key flip;       // all ones for the least element
  Key greatest;   // the greatest key

  constexpr Key key_of(Key word) const {
    constexpr int sign_place = 8 * static_cast<int>(sizeof(Key)) - 1;
    const auto ordered = static_cast<Key>(word ^ (static_cast<Key>(word >> sign_place) & magnitude) ^ flip);
    return static_cast<Key>(word & magnitude) > infinity ? greatest : ordered;
  }
  /// The word of a key. The greatest key of a float is a quiet NaN.
  constexpr Key word_of(Key key) const {
    constexpr int sign_place = 8 * static_cast<int>(sizeof(Key)) - 1;
    const auto word = static_cast<Key>(key ^ flip);
    return static_cast<Key>(word ^ (static_cast<Key>(word >> sign_place) & magnitude));
  }
};

}  // namespace rafter::extrema_ladder
