// cub_reduce: cub::DeviceReduce::Sum of NVIDIA's CUB.
#include <cub/device/device_reduce.cuh>

#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::cuda {

namespace {

// The query costs host time between the timing events, so it is made once per size.
template <class T>
std::size_t temporary_bytes(const T* in, SumResult<T>* out, std::int64_t n) {
  static std::int64_t known_n = -1;
  static std::size_t known_bytes = 0;
  if (n != known_n) {
    core::check(cub::DeviceReduce::Sum(nullptr, known_bytes, in, out, n), "cub::DeviceReduce::Sum");
    known_n = n;
  }
  return known_bytes;
}

}  // namespace

extern const SumRung cub_reduce{[]<core::OwnAccumulator T>(const Stream& stream, SumArgs<T> args) {
  const std::int64_t n = std::ssize(args.in);
  std::size_t bytes = temporary_bytes(args.in.data(), args.out, n);
  void* temporary = core::scratch(stream, static_cast<std::int64_t>(bytes));
  core::check(cub::DeviceReduce::Sum(temporary, bytes, args.in.data(), args.out, n, stream.handle()),
              "cub::DeviceReduce::Sum");
}};

}  // namespace rafter::sum_ladder::cuda
