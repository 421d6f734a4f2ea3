// The roofs of one run: measured at its start, raised by what beats them, measured again at its end.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "workbench/lab/roofs/roof_cache.hpp"
#include "workbench/lab/roofs/roof_meter.hpp"
#include "workbench/lab/roofs/roofs.hpp"

namespace rafter::lab {

enum class RoofSource { cached, remeasure };

struct RunRoofsOptions {
  RoofSource source = RoofSource::cached;
  std::filesystem::path cache_path{};  ///< empty: roofs.json in the user's cache folder
  Clocks clocks = Clocks::real();
};

/// A verified rung was faster than the floor: the roof was too low.
struct RoofRaise {
  std::string by;  ///< "fill 2^26 streamed"
  Floor floor;     ///< as it was
  double ns;       ///< what the rung took, and the floor since
};

/// What a loop reached at the end of the run over what it had reached at the start.
struct Drift {
  std::string what;  ///< "read"
  double ratio;
};

class RunRoofs {
 public:
  explicit RunRoofs(std::unique_ptr<RoofMeter> meter, RunRoofsOptions options = {});
  /// These, with nothing to measure them by.
  explicit RunRoofs(const Roofs& roofs) : now_(roofs), start_(roofs), end_(roofs) {}

  /// A curve from the cache, if a few of its points are found again; otherwise measured, in a few seconds.
  void begin();

  /// Measures the units that the cost needs first.
  Floor floor(const Cost& cost, CacheState state = CacheState::cold);
  void require(Unit unit);

  bool is_possible(const Cost& cost, double ns) const { return ns >= impossible_below_ns(cost, now_); }
  /// A verified rung took `ns`: if that is below the floor, the roofs are raised for everything that follows.
  void hold_against(const Cost& cost, double ns, const std::string& by);

  /// The loops once more: what they reach now raises the roofs, and shows how the machine has drifted.
  void end();

  const Roofs& now() const { return now_; }      ///< the best of start, raises and end
  const Roofs& start() const { return start_; }  ///< as the loops measured them
  const Roofs& at_end() const { return end_; }   ///< likewise; without curve before end()
  const std::vector<RoofRaise>& raises() const { return raises_; }
  const std::vector<Drift>& drifts() const { return drifts_; }
  /// The loops themselves reached very different rates before, at the start and at the end.
  bool too_busy() const { return too_busy_; }

  /// Sentences on what has changed since the last call, for whoever reads the tables.
  std::vector<std::string> take_news() { return std::exchange(news_, {}); }

 private:
  void take_from_cache(const CachedCurve& known);
  void measure_anew();
  void drifted(const char* what, double before, double after);

  std::unique_ptr<RoofMeter> meter_{};
  RunRoofsOptions options_{};
  RoofCache cache_{{}};
  CachedCurve curve_{};  ///< the best of the loops, for the cache
  Roofs now_{}, start_{}, end_{};
  std::array<bool, n_units> is_measured_{};
  std::vector<RoofRaise> raises_{};
  std::vector<Drift> drifts_{};
  std::vector<std::string> news_{};
  bool too_busy_ = false;
};

}  // namespace rafter::lab
