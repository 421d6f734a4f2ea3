// CUB's small types: operators, pairs, buffers, traits.
#pragma once

#include <cstddef>
#include <iterator>
#include <limits>
#include <type_traits>

#include "rafter_simt/cub/legacy_traits.hpp"
#include "rafter_simt/cub/traits.hpp"

#define CUB_VERSION 200800
#define CUB_PTX_WARP_THREADS 32
#define CUB_LOG_WARP_THREADS(unused) 5
#define CUB_WARP_THREADS(unused) 32
#define CUB_MIN(a, b) (((a) > (b)) ? (b) : (a))
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_RUNTIME_FUNCTION

namespace cub {

struct NullType {
  template <class T>
  NullType& operator=(const T&) {
    return *this;
  }
  bool operator==(const NullType&) const { return true; }
  bool operator!=(const NullType&) const { return false; }
};

template <int A>
struct Int2Type {
  enum { VALUE = A };
};
template <int N, int Current = N, int Count = 0>
struct Log2 {
  enum { VALUE = Log2<N, (Current >> 1), Count + 1>::VALUE };
};
template <int N, int Count>
struct Log2<N, 0, Count> {
  enum { VALUE = (1 << (Count - 1) < N) ? Count : Count - 1 };
};
template <int N>
struct PowerOfTwo {
  enum { VALUE = (N & (N - 1)) == 0 };
};

template <class KeyT, class ValueT>
struct KeyValuePair {
  using Key = KeyT;
  using Value = ValueT;

  Key key;
  Value value;

  KeyValuePair() = default;
  KeyValuePair(const Key& key_, const Value& value_) : key(key_), value(value_) {}
  bool operator==(const KeyValuePair& other) const { return key == other.key && value == other.value; }
  bool operator!=(const KeyValuePair& other) const { return !(*this == other); }
};

template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector;

  DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate}, selector(0) {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

template <class T, class Iterator = T*>
struct FutureValue {
  using value_type = T;
  using iterator_type = Iterator;

  explicit FutureValue(Iterator iterator) : iterator_(iterator) {}
  operator T() const { return *iterator_; }

 private:
  Iterator iterator_;
};

template <class T>
struct Uninitialized {
  T& Alias() { return reinterpret_cast<T&>(bytes); }

  alignas(T) unsigned char bytes[sizeof(T)];
};

// clang-format off
#define RAFTER_SIMT_CUB_OP(name, ...) \
  struct name { template <class T, class U> auto operator()(T&& a, U&& b) const { return __VA_ARGS__; } };
RAFTER_SIMT_CUB_OP(Equality, a == b)
RAFTER_SIMT_CUB_OP(Inequality, a != b)
RAFTER_SIMT_CUB_OP(Sum, a + b)
RAFTER_SIMT_CUB_OP(Difference, a - b)
RAFTER_SIMT_CUB_OP(Division, a / b)
#undef RAFTER_SIMT_CUB_OP
// clang-format on

struct Max {
  template <class T, class U>
  std::common_type_t<T, U> operator()(const T& a, const U& b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T, class U>
  std::common_type_t<T, U> operator()(const T& a, const U& b) const {
    return b < a ? b : a;
  }
};

/// Returns the pair with the larger value; among equal values, the one with the smaller key.
struct ArgMax {
  template <class Key, class Value>
  KeyValuePair<Key, Value> operator()(const KeyValuePair<Key, Value>& a, const KeyValuePair<Key, Value>& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class Key, class Value>
  KeyValuePair<Key, Value> operator()(const KeyValuePair<Key, Value>& a, const KeyValuePair<Key, Value>& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
template <class Op>
struct InequalityWrapper {
  Op op;
  explicit InequalityWrapper(Op op_) : op(op_) {}
  template <class T, class U>
  bool operator()(const T& a, const U& b) {
    return !op(a, b);
  }
};
template <class To>
struct CastOp {
  template <class From>
  To operator()(From&& from) const {
    return static_cast<To>(from);
  }
};
template <class Op>
struct SwizzleScanOp {
  Op op;
  explicit SwizzleScanOp(Op op_) : op(op_) {}
  template <class T>
  T operator()(const T& a, const T& b) {
    return op(b, a);
  }
};
/// Adds keys; restarts the value where b starts a segment.
template <class Op>
struct ReduceBySegmentOp {
  Op op;
  ReduceBySegmentOp() = default;
  explicit ReduceBySegmentOp(Op op_) : op(op_) {}
  template <class Pair>
  Pair operator()(const Pair& a, const Pair& b) {
    Pair result;
    result.key = a.key + b.key;
    result.value = b.key ? b.value : op(a.value, b.value);
    return result;
  }
};
template <class Op>
struct ReduceByKeyOp {
  Op op;
  ReduceByKeyOp() = default;
  explicit ReduceByKeyOp(Op op_) : op(op_) {}
  template <class Pair>
  Pair operator()(const Pair& a, const Pair& b) {
    Pair result(b);
    if (a.key == b.key) result.value = op(a.value, b.value);
    return result;
  }
};

template <class A, class B>
constexpr auto DivideAndRoundUp(A n, B d) {
  return n / d + (n % d != 0 ? 1 : 0);
}

}  // namespace cub

namespace rafter_simt {
namespace collective {

template <class It, class = void>
struct ValueOf {
  using type = std::decay_t<decltype(*std::declval<It&>())>;
};
template <class It>
struct ValueOf<It, std::enable_if_t<!std::is_void<typename std::iterator_traits<It>::value_type>::value>> {
  using type = std::remove_cv_t<typename std::iterator_traits<It>::value_type>;
};
template <class It>
using ValueOfT = typename ValueOf<It>::type;

/// The value type of an output iterator; `Else` if it does not declare one.
template <class It, class Else, class = void>
struct OutputOf {
  using type = Else;
};
template <class It, class Else>
struct OutputOf<It, Else, std::enable_if_t<!std::is_void<typename std::iterator_traits<It>::value_type>::value>> {
  using type = std::remove_cv_t<typename std::iterator_traits<It>::value_type>;
};
template <class It, class Else>
using OutputOfT = typename OutputOf<It, Else>::type;

}  // namespace collective
}  // namespace rafter_simt
