// Counts and compacts on one thread. A vector's comparisons give a bit mask; the mask selects from a table the shuffle
// that moves the kept lanes to the front (AVX-512 has an instruction for it); the whole vector is stored, and the
// output index advances by the number of kept lanes. No branch depends on the data.
#include "filter/filter_simd.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace rafter::filter_ladder::cpu {

namespace {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#else
constexpr int vector_bytes = 16;
#endif

// clang-format off
template <class T> struct Bits;
template <> struct Bits<float> { using Signed = std::int32_t; };
template <> struct Bits<double> { using Signed = std::int64_t; };
template <> struct Bits<std::int32_t> { using Signed = std::int32_t; };
template <> struct Bits<std::int64_t> { using Signed = std::int64_t; };
// clang-format on

constexpr int at_once = 4;  // vectors per iteration, whose comparisons are independent

template <class T>
struct Lanes {
  static constexpr int n = vector_bytes / sizeof(T);
  using Signed = typename Bits<T>::Signed;
  typedef T Type __attribute__((vector_size(vector_bytes)));  // the form that GCC and Clang both take
  typedef Key<T> Keys __attribute__((vector_size(vector_bytes)));
  typedef Signed Mask __attribute__((vector_size(vector_bytes)));  // -1 where kept
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

/// A Range as operands for whole vectors.
template <class T>
struct Test {
  using Signed = typename Bits<T>::Signed;
  Key<T> low, high;
  Signed to_key;      // floating point: the mask of bits that stay; integers: all ones to take magnitudes
  Signed order_bits;  // integers: flips the sign bit, so that unsigned comparison gives the signed order
  Signed flip;        // all ones to keep elements outside of the range
};

template <class T>
Test<T> test_of(const Range<T>& range) {
  using Signed = typename Bits<T>::Signed;
  using Unsigned = std::make_unsigned_t<Signed>;
  constexpr auto sign = static_cast<Unsigned>(Unsigned{1} << (8 * sizeof(T) - 1));
  const Signed ones = -1;
  const Signed flip = range.inside ? 0 : ones;
  if constexpr (std::is_floating_point_v<T>) {
    return {range.low, range.high, range.magnitude ? static_cast<Signed>(~sign) : ones, 0, flip};
  } else {
    return {range.low, range.high, range.magnitude ? ones : 0, range.magnitude ? 0 : static_cast<Signed>(sign), flip};
  }
}

template <class T>
Mask<T> kept(const Test<T>& test, Vector<T> v) {
  using Keys = typename Lanes<T>::Keys;
  Keys key;
  if constexpr (std::is_floating_point_v<T>) {
    key = reinterpret_cast<Keys>(reinterpret_cast<Mask<T>>(v) & test.to_key);
  } else {
    const Mask<T> negative = (v < 0) & test.to_key;
    const Mask<T> turned =
        reinterpret_cast<Mask<T>>(reinterpret_cast<Keys>(v ^ negative) - reinterpret_cast<Keys>(negative));
    key = reinterpret_cast<Keys>(turned ^ test.order_bits);
  }
  return (reinterpret_cast<Mask<T>>(key >= test.low) & reinterpret_cast<Mask<T>>(key <= test.high)) ^ test.flip;
}

#if defined(__AVX512F__)

/// Packs the masks of `at_once` vectors into bits; the lanes of a vector are adjacent.
template <class T>
std::uint64_t bits_of(const Mask<T> (&mask)[at_once]) {
  std::uint64_t bits = 0;
  for (int k = 0; k < at_once; ++k) {
    const auto lanes = reinterpret_cast<__m512i>(mask[k]);
    const std::uint64_t its =
        sizeof(T) == 4 ? _mm512_test_epi32_mask(lanes, lanes) : _mm512_test_epi64_mask(lanes, lanes);
    bits |= its << (k * Lanes<T>::n);
  }
  return bits;
}

template <class T>
int n_set(unsigned bits) {
  return __builtin_popcount(bits);
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

/// The shuffle of each bit mask: the byte indices of the set lanes in order; unused entries are 0.
template <int n>
struct FrontTable {
  alignas(16) unsigned char bytes[1 << n][16] = {};

  constexpr FrontTable() {
    for (int bits = 0; bits < 1 << n; ++bits) {
      int to = 0;
      for (int lane = 0; lane < n; ++lane) {
        if ((bits >> lane & 1) == 0) continue;
        for (int byte = 0; byte < 16 / n; ++byte)
          bytes[bits][to++] = static_cast<unsigned char>(lane * (16 / n) + byte);
      }
    }
  }
};
template <int n>
constexpr FrontTable<n> front_table{};

/// Packs the masks of `at_once` vectors into bits; the lanes of a vector are adjacent.
template <class T>
std::uint64_t bits_of(const Mask<T> (&mask)[at_once]) {
#if defined(__aarch64__)  // every lane gets its own bit, so one sum over lanes collects all of them
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
  for (int k = 0; k < at_once; ++k) {
#if defined(__x86_64__)
    const int its = sizeof(T) == 4 ? _mm_movemask_ps(reinterpret_cast<__m128>(mask[k]))
                                   : _mm_movemask_pd(reinterpret_cast<__m128d>(mask[k]));
#else
    int its = 0;
    for (int lane = 0; lane < Lanes<T>::n; ++lane) its |= (mask[k][lane] != 0 ? 1 : 0) << lane;
#endif
    bits |= static_cast<std::uint64_t>(its) << (k * Lanes<T>::n);
  }
  return bits;
#endif
}

/// Counts the set bits of a mask of up to four, with a table packed into a word: faster than popcount on some CPUs.
template <class T>
int n_set(unsigned bits) {
  return static_cast<int>(0x4332322132212110u >> (4 * bits) & 7);
}

template <class T>
Vector<T> to_front(Vector<T> v, unsigned bits) {
  const unsigned char* bytes = front_table<Lanes<T>::n>.bytes[bits];
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
}

#endif

/// Tests one element, for the tail that is shorter than a vector.
template <class T>
bool is_kept(const Test<T>& test, T x) {
  Vector<T> v = {};
  v[0] = x;
  return kept<T>(test, v)[0] != 0;
}

template <class T>
std::int64_t count(const T* in, std::int64_t n, const Range<T>& range) {
  constexpr int width = Lanes<T>::n;
  const Test<T> test = test_of(range);
  Mask<T> lanes[at_once] = {};
  std::int64_t i = 0;
  for (; i + at_once * width <= n; i += at_once * width) {
    for (int k = 0; k < at_once; ++k) lanes[k] -= kept<T>(test, load(in + i + k * width));
  }
  std::int64_t total = 0;
  for (int k = 0; k < at_once; ++k) {
    for (int lane = 0; lane < width; ++lane) total += lanes[k][lane];
  }
  for (; i < n; ++i) total += is_kept<T>(test, in[i]) ? 1 : 0;
  return total;
}

template <class T>
void compact(const T* in, std::int64_t n, const Range<T>& range, T* out, std::int64_t n_kept) {
  constexpr int width = Lanes<T>::n;
  const Test<T> test = test_of(range);
  std::int64_t to = 0;
  std::int64_t i = 0;
  for (; i + at_once * width <= n && to + at_once * width <= n_kept; i += at_once * width) {
    Vector<T> v[at_once];
    Mask<T> mask[at_once];
    for (int k = 0; k < at_once; ++k) {
      v[k] = load(in + i + k * width);
      mask[k] = kept<T>(test, v[k]);
    }
    const std::uint64_t all_bits = bits_of<T>(mask);
    for (int k = 0; k < at_once; ++k) {
      const auto bits = static_cast<unsigned>(all_bits >> (k * width)) & ((1u << width) - 1);
      const Vector<T> front = to_front<T>(v[k], bits);
      __builtin_memcpy(out + to, &front, sizeof front);
      to += n_set<T>(bits);
    }
  }
  for (; i < n && to < n_kept; ++i) {  // the remaining input or output is shorter than a vector
    if (is_kept<T>(test, in[i])) out[to++] = in[i];
  }
}

template <class T>
std::int64_t mark(const T* in, std::int64_t n, const Range<T>& range, std::int32_t* indices) {
  constexpr int width = Lanes<T>::n;
  constexpr int index_width = Lanes<std::int32_t>::n;
  static_assert(index_width <= mark_slack && at_once * width % index_width == 0);
  const Test<T> test = test_of(range);
  Vector<std::int32_t> lane;
  for (int k = 0; k < index_width; ++k) lane[k] = k;
  std::int64_t to = 0;
  std::int64_t i = 0;
  for (; i + at_once * width <= n; i += at_once * width) {
    Mask<T> mask[at_once];
    for (int k = 0; k < at_once; ++k) mask[k] = kept<T>(test, load(in + i + k * width));
    const std::uint64_t all_bits = bits_of<T>(mask);
    for (int k = 0; k < at_once * width; k += index_width) {
      const auto bits = static_cast<unsigned>(all_bits >> k) & ((1u << index_width) - 1);
      const auto front = to_front<std::int32_t>(lane + static_cast<std::int32_t>(i + k), bits);
      __builtin_memcpy(indices + to, &front, sizeof front);
      to += n_set<std::int32_t>(bits);
    }
  }
  for (; i < n; ++i) {
    if (is_kept<T>(test, in[i])) indices[to++] = static_cast<std::int32_t>(i);
  }
  return to;
}

template <class T>
constexpr FilterLoop<T> loops = {count<T>, compact<T>, mark<T>};

}  // namespace

RAFTER_ISA_TABLE(FilterLoops, filter_loops) = {loops<float>, loops<double>, loops<std::int32_t>, loops<std::int64_t>};

}  // namespace rafter::filter_ladder::cpu
