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

extern const RowsRung cub_segmented{[]<class T>(const Stream& stream, RowsArgs<T> args) {
  if (args.shape.n_rows == 0) return;
  const auto starts =
      thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), RowStart{args.shape.n_cols});
  std::size_t bytes = 1;  // what CUB asks for: it needs none
  core::check(cub::DeviceSegmentedReduce::Sum(stream.scratch(1), bytes, args.in.data(), args.out.data(),
                                              args.shape.n_rows, starts, starts + 1, stream.handle()),
              "cub::DeviceSegmentedReduce::Sum");
}};

}  // namespace rafter::rows_ladder::cuda
