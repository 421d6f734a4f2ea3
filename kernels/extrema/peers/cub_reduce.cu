// cub_reduce: cub::DeviceReduce::Min and Max of NVIDIA's CUB, for values alone.
#include <cub/device/device_reduce.cuh>

#include "extrema/extrema_rung.hpp"
#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::extrema_ladder::cuda {

extern const ExtremaRung cub_reduce{[]<core::OwnAccumulator T>(const Stream& stream, ExtremaArgs<T> args) {
  static std::int64_t known_n = -1;  // the query costs host time that would be measured, so it runs once per size
  static std::size_t known_bytes = 0;
  if (args.index != nullptr) throw Error(ErrorCode::unsupported, "this rung finds values, not indices");
  const std::int64_t n = std::ssize(args.in);
  const auto reduce = [&](void* temporary, std::size_t& bytes) {
    core::check(args.which == Extremum::least
                    ? cub::DeviceReduce::Min(temporary, bytes, args.in.data(), args.value, n, stream.handle())
                    : cub::DeviceReduce::Max(temporary, bytes, args.in.data(), args.value, n, stream.handle()),
                "cub::DeviceReduce");
  };
  if (n != known_n) {
    reduce(nullptr, known_bytes);
    known_n = n;
  }
  std::size_t bytes = known_bytes;
  reduce(core::scratch(stream, static_cast<std::int64_t>(bytes)), bytes);
}};

}  // namespace rafter::extrema_ladder::cuda
