// The smallest workload, out = 2 * in, for tests of the measurement.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "workbench/lab/cases/case_arrays.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/roofs/roofs.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::lab {

class Doubling final : public ArrayCase {
 public:
  static constexpr std::int64_t n = 1000;

  using ArrayCase::ArrayCase;

  Cost cost() const override {
    return {.bytes_read = 4. * n, .bytes_written = 4. * n, .operations = operations_in<float>(n)};
  }
  Comparison compare_results(int set) const override {
    return compare_elements<float>(out.on_host(), [&](std::int64_t i) { return 2 * in.element(set, i); });
  }

  /// Computes the correct answer for the first `n_solved` elements.
  void solve(int set, std::int64_t n_solved = n) {
    for (std::int64_t i = 0; i < n_solved; ++i) out.data()[i] = 2 * in.span(set)[static_cast<std::size_t>(i)];
  }

  /// Whether the output holds what no call has left there.
  bool is_prepared() {
    for (int set = 0; set < n_input_sets(); ++set) {
      if (out.data()[0] == 2 * in.span(set)[0]) return false;
    }
    return true;
  }

  bool can_renew() const override { return is_renewable; }
  void renew_inputs(int set, std::uint64_t secret) override { in.renew(set, {Generator::Kind::bell, secret}); }

  bool is_renewable = false;
  Input<float> in{*this, "in", n};
  Output<float> out{*this, "out", n};
};

// Rungs of the workload.
using Run = std::function<void(Doubling&, int set)>;

inline Rung rung_of(const std::string& name, const Run& run, RungKind kind = RungKind::rung) {
  return {name, Device::cpu,
          kind, "for the test",
          "",   [run](Case& work, const Stream&, int set) {
            run(dynamic_cast<Doubling&>(work), set); }};
}

inline const Run right = [](Doubling& work, int set) { work.solve(set); };
inline const Rung right_rung = rung_of("right", right);

inline Workload doubling_workload(std::vector<Rung> rungs) {
  Workload workload;
  workload.name = "doubling";
  workload.rungs = std::move(rungs);
  workload.make_case = [](const Params&, const Stream& stream, const CaseOptions& options) {
    return std::make_unique<Doubling>(stream, options);
  };
  // Claims more than the size of the caches, so that the timer need not flush them before each sample.
  workload.bytes_per_input_set = [](const Params&) { return 5. * static_cast<double>(last_level_cache_bytes()); };
  return workload;
}

/// Roofs so high that no measured time is below the floor.
inline const Roofs boundless_roofs{.bandwidth = Bandwidth::flat(1e18, 1e18, 1e18), .cache_bytes_per_s = 1e18};

}  // namespace rafter::lab
