// Measures what a device can do, by the plainest loops that can reach it. Tests bring a meter of their own.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rafter/stream.hpp"
#include "workbench/lab/roofs/bandwidth.hpp"
#include "workbench/lab/workload/cost.hpp"

namespace rafter::lab {

class RoofMeter {
 public:
  virtual ~RoofMeter() = default;

  virtual std::string machine() const = 0;  ///< names the hardware, its driver and the threads in use

  /// The working sets that a curve has points for, in bytes, ascending; the largest is far larger than the caches.
  virtual std::vector<double> sizes() const = 0;
  /// Bytes per second of one kind of traffic, for each of these working sets, with cold caches.
  virtual std::vector<double> rates(const Traffic& traffic, std::span<const double> sizes) = 0;

  virtual double cache_bytes_per_s() = 0;  ///< of data that stay in the caches
  virtual double cache_bytes() const = 0;
  virtual double sector_bytes() const = 0;
  virtual double launch_ns() = 0;
  virtual double operations_per_s(Unit unit) = 0;  ///< 0 when the device has no such unit

  virtual void release() {}  ///< the memory it measures in, until it is needed again
};

std::unique_ptr<RoofMeter> make_roof_meter(const Stream& stream);

// One per device, used by make_roof_meter.
std::unique_ptr<RoofMeter> make_cpu_roof_meter(const Stream& stream);
#ifdef RAFTER_WITH_CUDA
std::unique_ptr<RoofMeter> make_cuda_roof_meter(const Stream& stream);
#endif

/// What time it is: for budgets, and for how old a cached curve is.
struct Clocks {
  std::function<double()> steady_s;
  std::function<double()> unix_s;

  static Clocks real();
};

/// How much of a curve is measured, and for how long.
struct CurveEffort {
  bool is_spot_check = false;  ///< only a few points: read, write and copy at a middle size and the largest
  int fewest_rounds = 1;
  int most_rounds = 1;
  double budget_s = 0;  ///< after it no further kind of traffic is begun, once the fewest rounds are done
};
/// The best of several rounds over kinds of traffic and sizes; 0 where nothing was measured.
Bandwidth measure_bandwidth(RoofMeter& meter, const CurveEffort& effort, const Clocks& clocks);

}  // namespace rafter::lab
