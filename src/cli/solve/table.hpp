// The table of a heat run.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "rafter/heat.hpp"

namespace rafter::cli {

/// Narrower, with fewer digits, where the terminal is.
struct HeatColumns {
  int step = 10, time = 11, total = 15, extreme = 12, rate = 12, left = 9;
  int time_digits = 6, total_digits = 10, extreme_digits = 6;

  static HeatColumns for_width(int width) {
    if (width >= 93) return {};
    return {.step = 8,
            .time = 9,
            .total = 14,
            .extreme = 10,
            .rate = 7,
            .left = 8,
            .time_digits = 5,
            .total_digits = 8,
            .extreme_digits = 4};
  }

  std::string heading() const {
    const char* of_rate = rate < 12 ? "cells/s" : "cell steps/s";
    return fmt::format("{:>{}}  {:>{}}  {:>{}}  {:>{}}  {:>{}}  {:>{}}  {:>{}}", "step", step, "time", time,
                       "total heat", total, "min", extreme, "max", extreme, of_rate, rate, "left", left);
  }
  std::string row(std::int64_t at, double at_time, const HeatSummary& field, const std::string& pace,
                  const std::string& rest) const {
    return fmt::format("{:>{}}  {:>{}.{}g}  {:>{}.{}g}  {:>{}.{}g}  {:>{}.{}g}  {:>{}}  {:>{}}", at, step, at_time,
                       time, time_digits, field.total, total, total_digits, field.min, extreme, extreme_digits,
                       field.max, extreme, extreme_digits, pace, rate, rest, left);
  }
};

}  // namespace rafter::cli
