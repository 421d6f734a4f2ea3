#include "cli/bench/request.hpp"

#include "cli/streams.hpp"

namespace rafter::cli {

bench::Request request_of(const BenchOptions& options) {
  return {.build = options.build,
          .kernels = options.kernels,
          .references = options.references,
          .settings = options.settings,
          .grids = options.grids,
          .blocks = options.blocks,
          .shared = options.shared,
          .arguments = options.arguments,
          .bytes = options.bytes,
          .flops = options.flops,
          .tolerance = options.tolerance};
}

Device device_of(const BenchOptions& options) {
  if (!options.device.empty() && options.device != "cuda" && options.device != "simt")
    refuse_device(options.device, {"cuda", "simt"});
  if (options.device == "simt") return Device::simt;
  if (options.device.empty() && why_unavailable(Device::cuda)) return Device::simt;
  return device_wanted("cuda", {"cuda", "simt"});
}

}  // namespace rafter::cli
