// Running sums of one array in one thread, 16 bytes at a time: two shifted additions scan a vector, and only one
// addition per vector depends on the previous vector. Runs of 128 elements are added in T, their sums in Carry, so the
// error does not grow with n. The order of additions is the same on every instruction set.
#include "scan/scan_simd.hpp"

namespace rafter::scan_ladder::cpu {

namespace {

constexpr int run_elements = 128;

template <class T>
struct Lanes {
  static constexpr int n = 16 / sizeof(T);
  typedef T Type __attribute__((vector_size(16)));  // the syntax that both GCC and Clang accept
};
template <class T>
using Vector = typename Lanes<T>::Type;

template <class T>
Vector<T> load(const T* x) {
  Vector<T> v;
  __builtin_memcpy(&v, x, sizeof v);
  return v;
}

/// Returns {0, v0, v1, v2} or {0, v0}. As adjacent elements of a pair of vectors this is one instruction on every
/// target.
template <class T>
Vector<T> moved_by_one(Vector<T> v) {
  const Vector<T> zero = {};
  if constexpr (Lanes<T>::n == 4)
    return __builtin_shufflevector(zero, v, 3, 4, 5, 6);
  else
    return __builtin_shufflevector(zero, v, 1, 2);
}

template <class T>
Vector<T> inclusive_in_vector(Vector<T> v) {
  v += moved_by_one<T>(v);
  if constexpr (Lanes<T>::n == 4) {
    const Vector<T> zero = {};
    v += __builtin_shufflevector(zero, v, 2, 3, 4, 5);
  }
  return v;
}

template <class T>
Vector<T> last_everywhere(Vector<T> v) {
  if constexpr (Lanes<T>::n == 4)
    return __builtin_shufflevector(v, v, 3, 3, 3, 3);
  else
    return __builtin_shufflevector(v, v, 1, 1);
}

template <class T, class Carry>
Carry sum(const T* in, std::int64_t n) {
  constexpr int n_lanes = 32;
  constexpr std::int64_t block_elements = 1024;
  Carry total = 0;
  for (std::int64_t first = 0; first < n; first += block_elements) {
    const std::int64_t end = first + block_elements < n ? first + block_elements : n;
    T lane[n_lanes] = {};
    std::int64_t i = first;
    for (; i + n_lanes <= end; i += n_lanes) {
      for (int j = 0; j < n_lanes; ++j) lane[j] += in[i + j];
    }
    for (int j = 0; i < end; ++i, ++j) lane[j] += in[i];
    for (int width = n_lanes / 2; width > 0; width /= 2) {
      for (int j = 0; j < width; ++j) lane[j] += lane[j + width];
    }
    total += static_cast<Carry>(lane[0]);
  }
  return total;
}

/// Scans up to 128 elements that follow the sum `before`; returns their sum.
template <class T, bool inclusive>
__attribute__((always_inline)) inline T scan_run(const T* in, std::int64_t n, T before, T* out) {
  constexpr int width = Lanes<T>::n;
  Vector<T> run = {};  // the sum so far, in all lanes
  std::int64_t i = 0;
  for (; i + width <= n; i += width) {
    const Vector<T> sums = inclusive_in_vector<T>(load(in + i));
    const Vector<T> result = before + (run + (inclusive ? sums : moved_by_one<T>(sums)));
    run += last_everywhere<T>(sums);
    __builtin_memcpy(out + i, &result, sizeof result);
  }
  T sum = run[0];
  for (; i < n; ++i) {
    const T next = sum + in[i];
    out[i] = before + (inclusive ? next : sum);
    sum = next;
  }
  return sum;
}

template <class T, class Carry, bool inclusive>
void scan(const T* in, std::int64_t n, Carry before, T* out) {
  std::int64_t i = 0;
  for (; i + run_elements <= n; i += run_elements) {
    before += static_cast<Carry>(scan_run<T, inclusive>(in + i, run_elements, static_cast<T>(before), out + i));
  }
  scan_run<T, inclusive>(in + i, n - i, static_cast<T>(before), out + i);
}

template <class T, class Carry>
constexpr ScanLoop<T, Carry> loops = {sum<T, Carry>, scan<T, Carry, true>, scan<T, Carry, false>};

}  // namespace

RAFTER_ISA_TABLE(ScanLoops, scan_loops) = {loops<float, double>, loops<double, double>,
                                           loops<std::uint32_t, unsigned long long>,
                                           loops<std::uint64_t, unsigned long long>};

}  // namespace rafter::scan_ladder::cpu
