// cub_segmented: DeviceSegmentedReduce::Sum of NVIDIA's CUB, a row a segment.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_segmented_reduce.cuh>

#include "core/launch.cuh"
#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::cuda {

namespace {

struct RowStart {
  std::int64_t n_cols;
  __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * n_cols; }
};

}  // namespace

template <class T>
void cub_segmented(const Stream& stream, std::span<const T> in, MatrixShape shape, std::span<T> out) {
  if (shape.n_rows == 0) return;
  const auto starts =
      thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), RowStart{shape.n_cols});
  std::size_t bytes = 1;  // what CUB asks for: it needs none
  core::check(cub::DeviceSegmentedReduce::Sum(stream.scratch(1), bytes, in.data(), out.data(), shape.n_rows, starts,
                                              starts + 1, stream.handle()),
              "cub::DeviceSegmentedReduce::Sum");
}

RAFTER_ROWS_RUNG(cub_segmented);

}  // namespace rafter::rows_ladder::cuda
