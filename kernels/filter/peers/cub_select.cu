// cub_select: DeviceSelect::If of NVIDIA's CUB.
#include <cub/device/device_select.cuh>

#include "core/launch.cuh"
#include "filter/filter_rung.hpp"
#include "filter/keeps.cuh"

namespace rafter::filter_ladder::cuda {

namespace {

template <class T>
struct Kept {
  Range<T> range;
  __device__ bool operator()(T x) const { return keeps(range, x); }
};

}  // namespace

template <class T>
void cub_select(const Stream& stream, std::span<const T> in, Predicate<T> keep, std::span<T> out, std::int64_t* count,
                Order) {
  static std::int64_t known_n = -1;  // asking costs host time that would land between the events, so ask once per size
  static std::size_t known_bytes = 0;
  const std::int64_t n = std::ssize(in);
  const Kept<T> kept{range_of(keep)};
  if (n != known_n) {
    core::check(cub::DeviceSelect::If(nullptr, known_bytes, in.data(), out.data(), count, n, kept, stream.handle()),
                "cub::DeviceSelect::If");
    known_n = n;
  }
  std::size_t bytes = known_bytes;
  void* temporary = stream.scratch(static_cast<std::int64_t>(bytes));
  core::check(cub::DeviceSelect::If(temporary, bytes, in.data(), out.data(), count, n, kept, stream.handle()),
              "cub::DeviceSelect::If");
}

RAFTER_FILTER_RUNG(cub_select);

}  // namespace rafter::filter_ladder::cuda
