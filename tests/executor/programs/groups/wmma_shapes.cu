// wmma: every shape and type compared with a product in double, with all layouts, and arithmetic on x[].
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cmath>

#include "expect.hpp"

using namespace nvcuda;

template <class T>
struct InMemory {
  using type = T;
};
template <>
struct InMemory<wmma::precision::tf32> {
  using type = float;
};

/// Computes d = 2 * (a * b + c) on the fragments' elements; a and b are stored in their layouts.
template <int m, int n, int k, class T, class Acc, class LayoutA, class LayoutB>
__global__ void multiply(const typename InMemory<T>::type* a, const typename InMemory<T>::type* b, const Acc* c, Acc* d,
                         int ld_a, int ld_b) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, m, n, k, Acc> sum, start;
  wmma::load_matrix_sync(fa, a, ld_a);
  wmma::load_matrix_sync(fb, b, ld_b);
  wmma::load_matrix_sync(start, c, n, wmma::mem_row_major);
  wmma::fill_fragment(sum, Acc(0.0f));
  wmma::mma_sync(sum, fa, fb, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = Acc(2) * (sum.x[i] + start.x[i]);
  wmma::store_matrix_sync(d, sum, m, wmma::mem_col_major);
}

inline int small_value(int i) { return (i * 7 + i / 5) % 9 - 4; }

/// The shape and types of a product: compile-time constants in the kernel, run-time values outside of it.
struct Shape {
  int m, n, k;
  bool rows_a, rows_b;  // whether a and b are stored by rows
};

template <class T, class Acc, class In = typename InMemory<T>::type>
void check_product(const char* what, const Shape& shape,
                   void (*launch)(const In*, const In*, const Acc*, Acc*, int, int)) {
  const auto [m, n, k, rows_a, rows_b] = shape;
  const auto padded = [](int length) { return (length + 31) / 16 * 16; };  // rows begin at multiples of 16 bytes
  const int ld_a = padded(rows_a ? k : m), ld_b = padded(rows_b ? n : k);
  const bool is_unsigned = std::is_same<T, unsigned char>::value;
  std::vector<In> a((rows_a ? m : k) * ld_a), b((rows_b ? k : n) * ld_b);
  std::vector<Acc> c(m * n);
  std::vector<double> dense_a(m * k), dense_b(k * n), expected(m * n);
  for (int row = 0; row < m; ++row)
    for (int i = 0; i < k; ++i) {
      const int value = small_value(row * k + i) + (is_unsigned ? 4 : 0);
      dense_a[row * k + i] = value;
      a[rows_a ? row * ld_a + i : i * ld_a + row] = In(static_cast<float>(value));
    }
  for (int i = 0; i < k; ++i)
    for (int col = 0; col < n; ++col) {
      const int value = small_value(i * n + col + 3) + (is_unsigned ? 4 : 0);
      dense_b[i * n + col] = value;
      b[rows_b ? i * ld_b + col : col * ld_b + i] = In(static_cast<float>(value));
    }
  for (int i = 0; i < m * n; ++i) c[i] = Acc(static_cast<float>(small_value(i * 3)));
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      double sum = small_value((row * n + col) * 3);
      for (int i = 0; i < k; ++i) sum += dense_a[row * k + i] * dense_b[i * n + col];
      expected[col * m + row] = 2 * sum;
    }
  DeviceArray<In> device_a(a), device_b(b);
  DeviceArray<Acc> device_c(c), device_d(m * n);
  launch(device_a.get(), device_b.get(), device_c.get(), device_d.get(), ld_a, ld_b);
  const std::vector<Acc> got = device_d.values();
  bool same = true;
  for (int i = 0; i < m * n; ++i) same &= static_cast<double>(static_cast<float>(got[i])) == expected[i];
  expect(same, what);
}

template <int m, int n, int k, class T, class Acc, class LayoutA, class LayoutB>
void launch(const typename InMemory<T>::type* a, const typename InMemory<T>::type* b, const Acc* c, Acc* d, int ld_a,
            int ld_b) {
  multiply<m, n, k, T, Acc, LayoutA, LayoutB><<<1, 32>>>(a, b, c, d, ld_a, ld_b);
}

template <int m, int n, int k, class T, class Acc, class LayoutA, class LayoutB>
void check(const char* what) {
  const bool rows_a = std::is_same<LayoutA, wmma::row_major>::value;
  const bool rows_b = std::is_same<LayoutB, wmma::row_major>::value;
  check_product<T, Acc>(what, {m, n, k, rows_a, rows_b}, &launch<m, n, k, T, Acc, LayoutA, LayoutB>);
}

/// Layouts and shapes are independent: tests all layouts of one shape, and the other shapes in one layout each.
template <int m, int n, int k, class T, class Acc>
void check_layouts(const char* what) {
  check<m, n, k, T, Acc, wmma::row_major, wmma::col_major>(what);
  check<m, n, k, T, Acc, wmma::col_major, wmma::row_major>(what);
  check<m, n, k, T, Acc, wmma::row_major, wmma::row_major>(what);
}

template <class T, class Acc>
void check_shapes(const char* what) {
  check_layouts<16, 16, 16, T, Acc>(what);
  check<32, 8, 16, T, Acc, wmma::row_major, wmma::col_major>(what);
  check<8, 32, 16, T, Acc, wmma::col_major, wmma::row_major>(what);
}

__global__ void round_tf32(const float* in, float* out) { out[threadIdx.x] = wmma::__float_to_tf32(in[threadIdx.x]); }

int main() {
  check_shapes<__half, float>("half to float");
  check_shapes<__half, __half>("half to half");
  check_shapes<__nv_bfloat16, float>("bfloat16 to float");
  check_shapes<signed char, int>("signed char to int");
  check_shapes<unsigned char, int>("unsigned char to int");
  check_layouts<16, 16, 8, wmma::precision::tf32, float>("tf32");
  check_layouts<8, 8, 4, double, double>("double");

  const float step = std::ldexp(1.0f, -10);
  DeviceArray<float> in({1 + step * 0.49f, 1 + step * 0.5f, -1 - step * 1.5f, 3.0f}), out(4);
  round_tf32<<<1, 4>>>(in.get(), out.get());
  expect_equal(out.values(), std::vector<float>{1, 1 + step, -1 - 2 * step, 3}, "rounding to tf32");
  return report();
}
