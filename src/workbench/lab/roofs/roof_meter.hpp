// Measures the roofs of a device with the simplest loops that can reach them. Tests use their own meter.
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

  /// Returns the working-set sizes of a curve in bytes, ascending; the largest is far larger than the caches.
  virtual std::vector<double> sizes() const = 0;
  /// Returns the bytes per second of one kind of traffic for each of these working sets, with cold caches.
  virtual std::vector<double> rates(const Traffic& traffic, std::span<const double> sizes) = 0;

  virtual double cache_bytes_per_s() = 0;  ///< rate for data that stay in the caches
  virtual double cache_bytes() const = 0;
  virtual double sector_bytes() const = 0;
  virtual double launch_ns() = 0;
  virtual double operations_per_s(Unit unit) = 0;  ///< 0 if the device has no such unit

  virtual void release() {}  ///< frees its memory until it is needed again
};

std::unique_ptr<RoofMeter> make_roof_meter(const Stream& stream);

// One per device, used by make_roof_meter.
std::unique_ptr<RoofMeter> make_cpu_roof_meter(const Stream& stream);
#ifdef RAFTER_WITH_CUDA
std::unique_ptr<RoofMeter> make_cuda_roof_meter(const Stream& stream);
#endif

/// The clocks for budgets and for the age of cached curves.
struct Clocks {
  std::function<double()> steady_s;
  std::function<double()> unix_s;

  static Clocks real();
};

/// The extent of a curve's measurement and its time limit.
struct CurveEffort {
  bool is_spot_check = false;  ///< only a few points: read, write and copy at a middle size and the largest
  int fewest_rounds = 1;
  int most_rounds = 1;
  double budget_s = 0;  ///< no further kind of traffic is begun after it, once the fewest rounds are done
};
/// Returns the best of several rounds over kinds of traffic and sizes; 0 for points that were not measured.
Bandwidth measure_bandwidth(RoofMeter& meter, const CurveEffort& effort, const Clocks& clocks);

}  // namespace rafter::lab
