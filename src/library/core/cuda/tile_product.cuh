// Matrix product in tiles of 16 x 16, for any extents and types: for first versions of models and for float64
// references.
#pragma once

#include "library/core/cuda/launch.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

inline constexpr int product_side = 16;

/// The layout of the right matrix.
enum class Right { transposed, plain };  // b is [columns][inputs], or [inputs][columns]

/// Computes out[rows][columns] = a[rows][inputs] b (+ bias).
template <Right Form, class B, class T>
__global__ void product(const T* a, const B* b, const float* bias, std::int64_t rows, std::int64_t columns,
                        std::int64_t inputs, T* out) {
  __shared__ T left[product_side][product_side];
  __shared__ T right[product_side][product_side + 1];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const std::int64_t row = std::int64_t{blockIdx.x} * product_side + y;
  const std::int64_t first_column = std::int64_t{blockIdx.y} * product_side;
  const std::int64_t column = first_column + x;
  T sum = 0;
  for (std::int64_t first = 0; first < inputs; first += product_side) {
    left[y][x] = row < rows && first + x < inputs ? a[row * inputs + first + x] : T{};
    if constexpr (Form == Right::transposed) {
      const bool is_inside = first_column + y < columns && first + x < inputs;
      right[x][y] = is_inside ? static_cast<T>(b[(first_column + y) * inputs + first + x]) : T{};
    } else {
      const bool is_inside = first + y < inputs && column < columns;
      right[y][x] = is_inside ? static_cast<T>(b[(first + y) * columns + column]) : T{};
    }
    __syncthreads();  // both tiles are complete
    for (int k = 0; k < product_side; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();  // all reads of the tiles are done
  }
  if (row < rows && column < columns)
    out[row * columns + column] = sum + (bias != nullptr ? static_cast<T>(bias[column]) : T{});
}

template <Right Form, class B, class T>
void launch_product(const Stream& stream, const T* a, const B* b, const float* bias, std::int64_t rows,
                    std::int64_t columns, std::int64_t inputs, T* out) {
  const Grid down(ceil_div(rows, product_side));
  launch(product<Form, B, T>, dim3(down.blocks.x, static_cast<unsigned>(ceil_div(columns, product_side))),
         dim3(product_side, product_side), 0, stream, a, b, bias, rows, columns, inputs, out);
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
