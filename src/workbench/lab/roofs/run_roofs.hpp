// The roofs of one run: measured by our own loops at its start, when a rung is faster than its floor, and at its end.
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

/// A floor that a verified rung beat, although the loops ran again. No rung raises a roof.
struct BeatenFloor {
  std::string by;  ///< "fill 2^26 streamed"
  Floor floor;
  double ns;  ///< time of the rung
};

/// The rate of a loop at the end of the run relative to the start.
struct Drift {
  std::string what;  ///< "read"
  double ratio;
};

class RunRoofs {
 public:
  explicit RunRoofs(std::unique_ptr<RoofMeter> meter, RunRoofsOptions options = {});
  /// Uses fixed roofs, without a meter.
  explicit RunRoofs(const Roofs& roofs) : now_(roofs), start_(roofs), end_(roofs) {}

  /// Takes the bandwidth curve from the cache if a spot check confirms it; otherwise measures it, in a few seconds.
  void begin();

  /// Returns the floor of a cost. Measures the units that the cost needs first.
  Floor floor(const Cost& cost, CacheState state = CacheState::cold);
  void require(Unit unit);

  bool is_possible(const Cost& cost, double ns) const { return ns >= impossible_below_ns(cost, now_); }
  /// Whether `ns` is at least the floor, but for the noise of the loops. Before it denies that, it runs the loops
  /// again, which may have run on a busy machine: at most three times in a run.
  bool allows(const Cost& cost, double ns);
  /// Records that `by` takes `ns`, which allows() denies.
  void record_beaten(const Cost& cost, double ns, const std::string& by);

  /// Measures the loops again, which may raise the roofs and shows how the machine has drifted: the whole curve, or a
  /// few of its points after a run of less than 20 s.
  void end();

  const Roofs& now() const { return now_; }      ///< the best that the loops have reached
  const Roofs& start() const { return start_; }  ///< measured at the start
  const Roofs& at_end() const { return end_; }   ///< measured at the end; no curve before end()
  const std::vector<BeatenFloor>& beaten() const { return beaten_; }
  const std::vector<Drift>& drifts() const { return drifts_; }
  /// Whether the loops reached very different rates in the cache, at the start and at the end.
  bool too_busy() const { return too_busy_; }

  /// Returns the messages for the user since the last call.
  std::vector<std::string> take_messages() { return std::exchange(messages_, {}); }

 private:
  void use_cached(const CachedCurve& known);
  void remeasure();
  void measure_again(const Cost& cost);
  void record_drift(const char* what, double before, double after);

  std::unique_ptr<RoofMeter> meter_{};
  RunRoofsOptions options_{};
  RoofCache cache_{{}};
  CachedCurve curve_{};  ///< the best of the loops, for the cache
  Roofs now_{}, start_{}, end_{};
  double begun_s_ = 0;
  std::array<bool, n_units> is_measured_{};
  std::vector<BeatenFloor> beaten_{};
  int n_measured_again_ = 0;
  std::vector<Drift> drifts_{};
  std::vector<std::string> messages_{};
  bool too_busy_ = false;
};

}  // namespace rafter::lab
