// What the stages of a rung take.
#pragma once

#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

/// Runs a verified rung some more times with a clock between its stages, caches as in the regime (cold, or else warm),
/// and keeps the median of each stage. The first of these calls is checked: with the clock, too, the answers must be
/// right.
void profile_stages(Measurement& m, Case& work, const Stream& stream, Timer& timer, Regime regime);

}  // namespace rafter::lab
