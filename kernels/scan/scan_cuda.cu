// look_back: out[i] = in[0] + ... + in[i], or without in[i]; one pass over tiles of 48 KiB. A tile computes the sum of
// all tiles before it from what they have published.
// Bound by DRAM: every byte is read once and written once. cuda/scan_tiles.cuh has the kernel.
#include "library/core/cuda/policy.cuh"
#include "library/core/stream/scratch.hpp"
#include "scan/cuda/scan_tiles.cuh"
#include "scan/scan_rung.hpp"
#include "scan/scan_tunables.hpp"

namespace rafter::scan_ladder::RAFTER_BACKEND {

/// The type that the kernel adds: integers as unsigned ones, which wrap.
// clang-format off
template <class T> struct ElementOf { using type = T; };
template <> struct ElementOf<std::int32_t> { using type = unsigned; };
template <> struct ElementOf<std::int64_t> { using type = unsigned long long; };
// clang-format on

extern const ScanRung look_back{[]<class T>(const Stream& stream, ScanArgs<T> args) {
  using Element = typename ElementOf<T>::type;
  const std::int64_t n = std::ssize(args.in);
  const auto misalignment = [](const T* p) { return reinterpret_cast<std::uintptr_t>(p) % 16; };
  const ScanView<Element> view = {
      .in = {reinterpret_cast<const Element*>(args.in.data()), n},
      .out = reinterpret_cast<Element*>(args.out.data()),
      .vector_stores = misalignment(args.in.data()) == misalignment(args.out.data()),
      .kind = args.kind,
      .pass = {core::tickets(stream), 0},
  };
  const std::int64_t n_tiles = view.in.n_tiles(core::Tile<ScanPolicy, Element>::elements);
  const auto at_most = [&](const core::Tunable& percent) {
    return n_tiles * 100 <= std::int64_t{stream.n_multiprocessors()} * core::tuned(percent);
  };
  const bool fits_shared = core::shared_bytes_per_sm() >= ScanPolicy::shared_bytes_per_sm;
  if (at_most(small_tiles_percent)) return launch_look_back<SmallScanPolicy>(stream, view);
  if (fits_shared && at_most(medium_tiles_percent)) return launch_look_back<MediumScanPolicy>(stream, view);
  fits_shared ? launch_look_back<ScanPolicy>(stream, view) : launch_look_back<NarrowScanPolicy>(stream, view);
}};

}  // namespace rafter::scan_ladder::RAFTER_BACKEND
