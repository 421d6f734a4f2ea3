#include "workbench/lab/roofs/roof_meter.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "rafter/error.hpp"

namespace rafter::lab {

std::unique_ptr<RoofMeter> make_roof_meter(const Stream& stream) {
  if (stream.device() == Device::cpu) return make_cpu_roof_meter(stream);
#ifdef RAFTER_WITH_CUDA
  if (stream.device() == Device::cuda) return make_cuda_roof_meter(stream);
#endif
  throw Error(ErrorCode::unsupported, "device " + std::string(name(stream.device())) + " has no roofs");
}

Clocks Clocks::real() {
  const auto seconds = [](auto now) { return std::chrono::duration<double>(now.time_since_epoch()).count(); };
  return {[=] { return seconds(std::chrono::steady_clock::now()); },
          [=] { return seconds(std::chrono::system_clock::now()); }};
}

namespace {
/// Starts with the kinds of traffic that drift is computed from, before a budget can end.
constexpr std::array<std::size_t, n_traffics> traffic_order{read_traffic, write_traffic, copy_traffic, 1, 2};
}  // namespace

Bandwidth measure_bandwidth(RoofMeter& meter, const CurveEffort& effort, const Clocks& clocks) {
  Bandwidth best(meter.sizes());
  const std::size_t n_sizes = best.sizes().size();
  std::vector<std::size_t> where;
  for (std::size_t s = 0; s < n_sizes; ++s) {
    if (!effort.is_spot_check || s == n_sizes / 2 || s + 1 == n_sizes) where.push_back(s);
  }
  std::vector<double> sizes;
  for (const std::size_t s : where) sizes.push_back(best.sizes()[s]);
  const double end_s = clocks.steady_s() + effort.budget_s;
  for (int round = 0; round < effort.most_rounds; ++round) {
    for (const std::size_t t : traffic_order) {
      if (effort.is_spot_check && t != read_traffic && t != write_traffic && t != copy_traffic) continue;
      if (round >= effort.fewest_rounds && clocks.steady_s() > end_s) return best;
      const std::vector<double> rates = meter.rates(all_traffics[t], sizes);
      for (std::size_t i = 0; i < where.size(); ++i) best.at(t, where[i]) = std::max(best.at(t, where[i]), rates[i]);
    }
  }
  return best;
}

}  // namespace rafter::lab
