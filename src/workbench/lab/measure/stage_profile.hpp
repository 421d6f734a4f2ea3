// Measures the stages of a rung.
#pragma once

#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

/// Runs a verified rung several more times with a clock between its stages, with caches as in the regime (cold,
/// otherwise warm), and keeps the median of each stage. The first of these calls is checked, because answers must be
/// correct with the clock, too.
void profile_stages(Measurement& m, Case& work, const Stream& stream, Timer& timer, Regime regime);

}  // namespace rafter::lab
