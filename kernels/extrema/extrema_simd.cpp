// Finds the greatest key of an array on one thread, in four vectors of lanes, whose comparisons are independent.
// Bound by memory.
#include "extrema/extrema_simd.hpp"

#include <limits>

namespace rafter::extrema_ladder::cpu {

namespace {

template <class Word>
struct Lanes {
  typedef Word Type __attribute__((vector_size(core::vector_bytes)));  // the form that GCC and Clang both take
};
template <class Word>
using Vector = typename Lanes<Word>::Type;

constexpr int at_once = 4;  // vectors per iteration

/// Order::key_of for the lanes of a vector.
template <class Word>
Vector<Word> keys_of(const Order<Word>& order, Vector<Word> words) {
  constexpr int sign_place = 8 * sizeof(Word) - 1;
  const Vector<Word> ordered = words ^ ((words >> sign_place) & order.magnitude) ^ order.flip;
  const Vector<Word> is_nan = (words & order.magnitude) > order.infinity;
  return (is_nan & order.greatest) | (~is_nan & ordered);
}

template <class Word>
Vector<Word> greater_of(Vector<Word> a, Vector<Word> b) {
  return a > b ? a : b;
}

template <class Word>
Word greatest_key(const Word* in, std::int64_t n, const Order<Word>& order) {
  constexpr int width = core::vector_bytes / static_cast<int>(sizeof(Word));
  constexpr Word least = std::numeric_limits<Word>::min();
  Vector<Word> best[at_once];
  for (Vector<Word>& lanes : best) lanes = Vector<Word>{} + least;
  std::int64_t i = 0;
  for (; i + at_once * width <= n; i += at_once * width) {
    for (int k = 0; k < at_once; ++k) {
      Vector<Word> words;
      __builtin_memcpy(&words, in + i + k * width, sizeof words);
      best[k] = greater_of<Word>(keys_of<Word>(order, words), best[k]);
    }
  }
  for (int k = 1; k < at_once; ++k) best[0] = greater_of<Word>(best[k], best[0]);
  Word result = least;
  for (int lane = 0; lane < width; ++lane) result = best[0][lane] > result ? best[0][lane] : result;
  for (; i < n; ++i) {
    const Word key = order.key_of(in[i]);
    result = key > result ? key : result;
  }
  return result;
}

}  // namespace

RAFTER_ISA_TABLE(ExtremaLoops, extrema_loops) = {greatest_key<std::int16_t>, greatest_key<std::int32_t>,
                                                 greatest_key<std::int64_t>};

}  // namespace rafter::extrema_ladder::cpu
