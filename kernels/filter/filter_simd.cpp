// Marks and compacts on one thread. The comparisons of 64 elements give a word of bits, so that elements are compared
// once and a word without kept elements costs one test. For other words the bits of a vector select from a table the
// shuffle that moves its kept lanes to the front (AVX-512 has an instruction for it); the whole vector is stored, and
// the output index advances by the number of kept lanes. The few kept elements of a sparse word are copied one by one.
#include "filter/filter_simd.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace rafter::filter_ladder::cpu {

namespace {

#if defined(__x86_64__)
using core::vector_bytes;
#else
constexpr int vector_bytes = 16;  // NEON's vectors, and those that tables of shuffles exist for
#endif

// clang-format off
template <class T> struct Bits;
template <> struct Bits<float> { using Signed = std::int32_t; };
template <> struct Bits<double> { using Signed = std::int64_t; };
template <> struct Bits<std::int32_t> { using Signed = std::int32_t; };
template <> struct Bits<std::int64_t> { using Signed = std::int64_t; };
// clang-format on

template <class T>
struct Lanes {
  static constexpr int n = vector_bytes / static_cast<int>(sizeof(T));
  typedef T Type __attribute__((vector_size(vector_bytes)));  // the form that GCC and Clang both take
  typedef typename Bits<T>::Signed Mask __attribute__((vector_size(vector_bytes)));  // -1 where kept
};
template <class T>
using Vector = typename Lanes<T>::Type;
template <class T>
using Mask = typename Lanes<T>::Mask;

template <class T>
Vector<T> load(const T* x) {
  Vector<T> v;
  __builtin_memcpy(&v, x, sizeof v);
  return v;
}

/// A Range as operands for whole vectors: floating-point numbers or signed integers. `magnitude` is a constant, so that
/// the other predicates do not compute it.
template <class T, bool magnitude>
struct Test {
  using Signed = typename Bits<T>::Signed;
  static constexpr Signed sign = std::numeric_limits<Signed>::min();
  T low, high;
  std::uint64_t flip;  // all ones to keep elements outside of the range

  explicit Test(const Range<T>& range) : flip(range.inside ? 0 : ~std::uint64_t{0}) {
    if constexpr (std::is_floating_point_v<T>) {
      low = range.low;
      high = range.high;
    } else {  // x86 compares signed integers only: both sides of an unsigned comparison have their sign bits flipped
      low = static_cast<T>(range.low ^ sign_bit<T>);
      high = static_cast<T>(range.high ^ sign_bit<T>);
    }
  }

  static Vector<T> key(Vector<T> v) {
    if constexpr (!magnitude) {
      return v;
    } else if constexpr (std::is_floating_point_v<T>) {
      return reinterpret_cast<Vector<T>>(reinterpret_cast<Mask<T>>(v) & static_cast<Signed>(~sign));
    } else {
      typedef Key<T> Keys __attribute__((vector_size(vector_bytes)));
      const Mask<T> negative = v < 0;
      const auto size = reinterpret_cast<Keys>(v ^ negative) - reinterpret_cast<Keys>(negative);
      return reinterpret_cast<Vector<T>>(size) ^ sign;
    }
  }
};

#if defined(__AVX512F__)

/// Returns the bits of the lanes inside the range, for `at_once` vectors; the lanes of a vector are adjacent.
constexpr int at_once = 1;
template <class T, class Test>
std::uint64_t inside(const Test& test, const T* x) {
  const auto key = Test::key(load(x));
  if constexpr (std::is_same_v<T, float>) {
    const auto at_least = _mm512_cmp_ps_mask(key, _mm512_set1_ps(test.low), _CMP_GE_OQ);
    return _mm512_mask_cmp_ps_mask(at_least, key, _mm512_set1_ps(test.high), _CMP_LE_OQ);
  } else if constexpr (std::is_same_v<T, double>) {
    const auto at_least = _mm512_cmp_pd_mask(key, _mm512_set1_pd(test.low), _CMP_GE_OQ);
    return _mm512_mask_cmp_pd_mask(at_least, key, _mm512_set1_pd(test.high), _CMP_LE_OQ);
  } else if constexpr (sizeof(T) == 4) {
    const auto lanes = reinterpret_cast<__m512i>(key);
    const auto at_least = _mm512_cmpge_epi32_mask(lanes, _mm512_set1_epi32(test.low));
    return _mm512_mask_cmple_epi32_mask(at_least, lanes, _mm512_set1_epi32(test.high));
  } else {
    const auto lanes = reinterpret_cast<__m512i>(key);
    const auto at_least = _mm512_cmpge_epi64_mask(lanes, _mm512_set1_epi64(test.low));
    return _mm512_mask_cmple_epi64_mask(at_least, lanes, _mm512_set1_epi64(test.high));
  }
}

template <class T>
Vector<T> to_front(Vector<T> v, unsigned bits) {
  const auto x = reinterpret_cast<__m512i>(v);
  if constexpr (sizeof(T) == 4)
    return reinterpret_cast<Vector<T>>(_mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), x));
  else
    return reinterpret_cast<Vector<T>>(_mm512_maskz_compress_epi64(static_cast<__mmask8>(bits), x));
}

#else

constexpr int at_once = 4;  // vectors, whose comparisons are independent

/// Packs the masks of `at_once` vectors into bits; the lanes of a vector are adjacent.
template <class T>
std::uint64_t bits_of(const Mask<T> (&mask)[at_once]) {
#if defined(__AVX2__)
  std::uint64_t bits = 0;
  for (int k = 0; k < at_once; ++k) {
    const int its = sizeof(T) == 4 ? _mm256_movemask_ps(reinterpret_cast<__m256>(mask[k]))
                                   : _mm256_movemask_pd(reinterpret_cast<__m256d>(mask[k]));
    bits |= static_cast<std::uint64_t>(its) << (k * Lanes<T>::n);
  }
  return bits;
#elif defined(__x86_64__)
  if constexpr (sizeof(T) == 4) {  // narrowed to bytes, so that one instruction collects all bits
    const auto pack = [](const Mask<T>& a, const Mask<T>& b) {
      return _mm_packs_epi32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b));
    };
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(pack(mask[0], mask[1]), pack(mask[2], mask[3]))));
  } else {
    std::uint64_t bits = 0;
    for (int k = 0; k < at_once; ++k)
      bits |= static_cast<std::uint64_t>(_mm_movemask_pd(reinterpret_cast<__m128d>(mask[k]))) << (2 * k);
    return bits;
  }
#elif defined(__aarch64__)  // every lane gets its own bit, so one sum over lanes collects all of them
  if constexpr (sizeof(T) == 4) {
    const Mask<T> first = {1, 2, 4, 8};
    const Mask<T> all = (mask[0] & first) | (mask[1] & first << 4) | (mask[2] & first << 8) | (mask[3] & first << 12);
    return vaddvq_u32(reinterpret_cast<uint32x4_t>(all));
  } else {
    const Mask<T> first = {1, 2};
    const Mask<T> all = (mask[0] & first) | (mask[1] & first << 2) | (mask[2] & first << 4) | (mask[3] & first << 6);
    return vaddvq_u64(reinterpret_cast<uint64x2_t>(all));
  }
#else
  std::uint64_t bits = 0;
  for (int lane = 0; lane < at_once * Lanes<T>::n; ++lane)
    bits |= std::uint64_t{mask[lane / Lanes<T>::n][lane % Lanes<T>::n] != 0} << lane;
  return bits;
#endif
}

template <class T, class Test>
std::uint64_t inside(const Test& test, const T* x) {
  Mask<T> mask[at_once];
  for (int k = 0; k < at_once; ++k) {
    const Vector<T> key = Test::key(load(x + k * Lanes<T>::n));
    mask[k] = reinterpret_cast<Mask<T>>(key >= test.low) & reinterpret_cast<Mask<T>>(key <= test.high);
  }
  return bits_of<T>(mask);
}

/// The shuffle of each bit mask of n lanes: the indices of the units of the set lanes in order; unused entries are 0. A
/// lane has `n_units` / n units.
template <int n, int n_units>
struct FrontTable {
  alignas(16) unsigned char unit[1 << n][n_units] = {};

  constexpr FrontTable() {
    constexpr int per_lane = n_units / n;
    for (int bits = 0; bits < 1 << n; ++bits) {
      int to = 0;
      for (int i = 0; i < n_units; ++i) {
        if ((bits >> (i / per_lane) & 1) != 0) unit[bits][to++] = static_cast<unsigned char>(i);
      }
    }
  }
};
template <int n, int n_units>
constexpr FrontTable<n, n_units> front_table{};

template <class T>
Vector<T> to_front(Vector<T> v, unsigned bits) {
#if defined(__AVX2__)  // units of 4 bytes
  const unsigned char* units = front_table<Lanes<T>::n, 8>.unit[bits];
  const __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(units)));
  return reinterpret_cast<Vector<T>>(_mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(v), order));
#else
  const unsigned char* bytes = front_table<Lanes<T>::n, 16>.unit[bits];
#if defined(__x86_64__)
  const __m128i order = _mm_load_si128(reinterpret_cast<const __m128i*>(bytes));
  return reinterpret_cast<Vector<T>>(_mm_shuffle_epi8(reinterpret_cast<__m128i>(v), order));
#elif defined(__aarch64__)
  return reinterpret_cast<Vector<T>>(vqtbl1q_u8(reinterpret_cast<uint8x16_t>(v), vld1q_u8(bytes)));
#else
  typedef unsigned char Bytes __attribute__((vector_size(16)));
  Bytes order;
  __builtin_memcpy(&order, bytes, sizeof order);
  return reinterpret_cast<Vector<T>>(__builtin_shuffle(reinterpret_cast<Bytes>(v), order));
#endif
#endif
}

#endif

/// Counts the set bits of a vector's lanes. For up to four lanes a table is packed into a word, which is faster than
/// popcount on some CPUs.
template <int n_lanes>
int n_set(unsigned bits) {
  if constexpr (n_lanes <= 4) return static_cast<int>(0x4332322132212110u >> (4 * bits) & 7);
  return __builtin_popcount(bits);
}

/// Returns the word of 64 elements.
template <class T, class Test>
std::uint64_t word_of(const Test& test, const T* x) {
  std::uint64_t word = 0;
  constexpr int step = at_once * Lanes<T>::n;
  for (int k = 0; k < word_elements; k += step) word |= inside(test, x + k) << k;
  return word ^ test.flip;
}

template <bool magnitude, class T>
std::int64_t mark_by(const T* in, std::int64_t n, const Range<T>& range, std::uint64_t* words) {
  const Test<T, magnitude> test(range);
  std::int64_t total = 0;
  std::int64_t i = 0;
  for (; i + word_elements <= n; i += word_elements) {
    const std::uint64_t word = word_of(test, in + i);
    *words++ = word;
    total += __builtin_popcountll(word);
  }
  if (i < n) {
    T last[word_elements] = {};
    __builtin_memcpy(last, in + i, static_cast<std::size_t>(n - i) * sizeof(T));
    *words = word_of(test, last) & ((std::uint64_t{1} << (n - i)) - 1);
    total += __builtin_popcountll(*words);
  }
  return total;
}

template <class T>
std::int64_t mark(const T* in, std::int64_t n, const Range<T>& range, std::uint64_t* words) {
  return range.magnitude ? mark_by<true>(in, n, range, words) : mark_by<false>(in, n, range, words);
}

/// Calls one(i) for each set bit i of a word, in order.
template <class F>
void for_each_bit(std::uint64_t word, const F& one) {
  for (; word != 0; word &= word - 1) one(__builtin_ctzll(word));
}

// Shuffling takes the same time for any word, single elements a time for each and a mispredicted branch.
constexpr int sparse = vector_bytes == 64 ? 2 : 6;

template <class T>
void compact(const T* in, std::int64_t n, const std::uint64_t* words, T* out, std::int64_t n_kept) {
  constexpr int width = Lanes<T>::n;
  std::int64_t to = 0;
  std::int64_t i = 0;
  for (; i + word_elements <= n && to + word_elements <= n_kept; i += word_elements) {
    const std::uint64_t word = *words++;
    if (__builtin_popcountll(word) <= sparse) {
      for_each_bit(word, [&](int bit) { out[to++] = in[i + bit]; });
      continue;
    }
    for (int k = 0; k < word_elements; k += width) {
      const auto bits = static_cast<unsigned>(word >> k) & ((1u << width) - 1);
      const Vector<T> front = to_front<T>(load(in + i + k), bits);
      __builtin_memcpy(out + to, &front, sizeof front);
      to += n_set<width>(bits);
    }
  }
  while (to < n_kept) {  // the remaining input or output is shorter than a word
    for_each_bit(*words++, [&](int bit) {
      if (to < n_kept) out[to++] = in[i + bit];
    });
    i += word_elements;
  }
}

std::int64_t indices_of(const std::uint64_t* words, std::int64_t n, std::int32_t* indices) {
  constexpr int width = Lanes<std::int32_t>::n;
  static_assert(width <= index_slack);
  Vector<std::int32_t> lane;
  for (int k = 0; k < width; ++k) lane[k] = k;
  std::int64_t to = 0;
  for (std::int64_t i = 0; i < n; i += word_elements) {
    const std::uint64_t word = *words++;
    if (__builtin_popcountll(word) <= sparse) {
      for_each_bit(word, [&](int bit) { indices[to++] = static_cast<std::int32_t>(i + bit); });
      continue;
    }
    for (int k = 0; k < word_elements; k += width) {
      const auto bits = static_cast<unsigned>(word >> k) & ((1u << width) - 1);
      const auto front = to_front<std::int32_t>(lane + static_cast<std::int32_t>(i + k), bits);
      __builtin_memcpy(indices + to, &front, sizeof front);
      to += n_set<width>(bits);
    }
  }
  return to;
}

template <class T>
constexpr FilterLoop<T> loops = {mark<T>, compact<T>};

}  // namespace

RAFTER_ISA_TABLE(FilterLoops, filter_loops) = {loops<float>, loops<double>, loops<std::int32_t>, loops<std::int64_t>,
                                               indices_of};

}  // namespace rafter::filter_ladder::cpu
