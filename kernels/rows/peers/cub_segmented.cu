// cub_segmented: cub::DeviceSegmentedReduce::Sum of NVIDIA's CUB, one segment per row.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_segmented_reduce.cuh>

#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"
#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::cuda {

namespace {

struct RowOffset {
  std::int64_t row_stride;
  std::int64_t col;
  __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * row_stride + col; }
};

}  // namespace

extern const RowsRung cub_segmented{[]<core::OwnAccumulator T>(const Stream& stream, RowsArgs<T> args) {
  if (args.in.n_rows == 0) return;
  const auto offsets_of = [&](std::int64_t col) {
    return thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                           RowOffset{args.in.row_stride, col});
  };
  std::size_t bytes = 1;  // CUB needs a non-null pointer, but no memory
  core::check(
      cub::DeviceSegmentedReduce::Sum(core::scratch(stream, 1), bytes, args.in.data, args.out.data(), args.in.n_rows,
                                      offsets_of(0), offsets_of(args.in.n_cols), stream.handle()),
      "cub::DeviceSegmentedReduce::Sum");
}};

}  // namespace rafter::rows_ladder::cuda
