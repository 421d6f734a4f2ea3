// A simulated machine and clock that tests control.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "workbench/lab/roofs/roof_meter.hpp"

namespace rafter::lab {

/// The properties of the simulated machine; tests change them during a run.
struct PlantedMachine {
  double read = 10e9, write = 5e9, copy = 8e9;  ///< rates at every size, times `speed`
  double speed = 1;
  double cache = 100e9;
  double launch_ns = 10;
  PerUnit operations_per_s = operations_on(Unit::fp32, 100e9);

  int n_samples = 0;            ///< bandwidth samples taken
  std::map<Unit, int> n_asked;  ///< measurements of each unit
  double steady_s = 0;
  double unix_s = 1e9;

  Clocks clocks() {
    return {[this] { return steady_s; }, [this] { return unix_s; }};
  }
};

class PlantedMeter final : public RoofMeter {
 public:
  explicit PlantedMeter(PlantedMachine& machine) : machine_(machine) {}

  std::string machine() const override { return "planted"; }
  std::vector<double> sizes() const override { return {1e6, 1e8}; }
  std::vector<double> rates(const Traffic& traffic, std::span<const double> sizes) override {
    ++machine_.n_samples;
    const double rate = traffic.n_out == 0 ? machine_.read : traffic.n_in == 0 ? machine_.write : machine_.copy;
    return std::vector<double>(sizes.size(), rate * machine_.speed);
  }
  double cache_bytes_per_s() override { return machine_.cache; }
  double cache_bytes() const override { return 1e6; }
  double sector_bytes() const override { return 64; }
  double launch_ns() override { return machine_.launch_ns; }
  double operations_per_s(Unit unit) override {
    ++machine_.n_asked[unit];
    return machine_.operations_per_s[unit] * machine_.speed;
  }

 private:
  PlantedMachine& machine_;
};

}  // namespace rafter::lab
