// Winograd's F(2x2,3x3): 2 x 2 outputs of a 3 x 3 kernel by 16 products instead of the definition's 36.
//
//   Y = A^T [ (G g G^T) (B^T d B) ] A        d: 4 x 4 inputs, g: the kernel; the two parentheses are multiplied
//                                            element by element
//
//         1  0 -1  0          1    0    0
//   B^T = 0  1  1  0     G =  1/2  1/2  1/2     A^T = 1  1  1  0
//         0 -1  1  0          1/2 -1/2  1/2           0  1 -1 -1
//         0  1  0 -1          0    0    1
//
// Sums over channels are taken before A is applied: 16 matrix products of [maps x channels] x [channels x tiles].
#pragma once

namespace rafter::conv_ladder {

/// One-dimensional transforms of a line by B^T, G and A^T.
template <class F>
constexpr void winograd_input_line(const F (&d)[4], F (&out)[4]) {
  out[0] = d[0] - d[2];
  out[1] = d[1] + d[2];
  out[2] = d[2] - d[1];
  out[3] = d[1] - d[3];
}
template <class F>
constexpr void winograd_kernel_line(const F (&g)[3], F (&out)[4]) {
  const F ends = g[0] + g[2];
  out[0] = g[0];
  out[1] = (ends + g[1]) * F(0.5);
  out[2] = (ends - g[1]) * F(0.5);
  out[3] = g[2];
}
template <class F>
constexpr void winograd_output_line(const F (&m)[4], F (&out)[2]) {
  out[0] = m[0] + m[1] + m[2];
  out[1] = m[1] - m[2] - m[3];
}

/// Transforms N x N to M x M: applies `line` to every row, then to every column of the result.
template <int N, int M, class F, class Line>
constexpr void winograd_both_ways(const F (&in)[N][N], F (&out)[M][M], Line&& line) {
  F rows[N][M]{};
  for (int i = 0; i < N; ++i) line(in[i], rows[i]);
  for (int j = 0; j < M; ++j) {
    F column[N]{};
    F result[M]{};
    for (int i = 0; i < N; ++i) column[i] = rows[i][j];
    line(column, result);
    for (int i = 0; i < M; ++i) out[i][j] = result[i];
  }
}

template <class F>
constexpr void winograd_input(const F (&d)[4][4], F (&out)[4][4]) {
  winograd_both_ways<4, 4>(d, out, [](const F(&from)[4], F(&to)[4]) { winograd_input_line(from, to); });
}
template <class F>
constexpr void winograd_kernel(const F (&g)[3][3], F (&out)[4][4]) {
  winograd_both_ways<3, 4>(g, out, [](const F(&from)[3], F(&to)[4]) { winograd_kernel_line(from, to); });
}
template <class F>
constexpr void winograd_output(const F (&m)[4][4], F (&out)[2][2]) {
  winograd_both_ways<4, 2>(m, out, [](const F(&from)[4], F(&to)[2]) { winograd_output_line(from, to); });
}

/// The contribution of one channel's |d| and |g| to the error bound of an output in float32, in units of (channels +
/// 32) 2^-23: the transform with the magnitudes of all matrices, so that nothing cancels. `row` and `col` are the
/// output's position in its tile. In any order of summation a pixel passes through at most 3 additions of its
/// transform, a weight through 8, an output through 8, and between them are a product and the sum over channels:
/// channels + 20 roundings of 2^-24.
constexpr double winograd_magnitude(const double (&d)[4][4], const double (&g)[3][3], int row, int col) {
  double inputs[4][4]{};
  double kernel[4][4]{};
  winograd_both_ways<4, 4>(d, inputs, [](const double(&from)[4], double(&to)[4]) {
    to[0] = from[0] + from[2];
    to[1] = to[2] = from[1] + from[2];
    to[3] = from[1] + from[3];
  });
  winograd_both_ways<3, 4>(g, kernel, [](const double(&from)[3], double(&to)[4]) {
    to[0] = from[0];
    to[1] = to[2] = (from[0] + from[1] + from[2]) / 2;
    to[3] = from[2];
  });
  double sum = 0;
  for (int i = row; i < row + 3; ++i) {
    for (int j = col; j < col + 3; ++j) sum += inputs[i][j] * kernel[i][j];
  }
  return sum;
}

}  // namespace rafter::conv_ladder
