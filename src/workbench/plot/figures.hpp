// The figures of results files.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "workbench/draw/figure.hpp"
#include "workbench/plot/measured.hpp"
#include "workbench/plot/sweep.hpp"
#include "workbench/tune/worth.hpp"

namespace rafter::plot {

/// Draws cases as bars. A panel per case has a bar per verified rung and peer: its share of the floor, with its time
/// and its speedup over the first rung.
draw::Figure ladder_figure(std::span<const MeasuredCase> cases, const std::string& machine);

/// Draws the cases that the executor counted and no GPU timed. A panel per case has a bar per verified rung: the bytes
/// that it moves, with the model's estimate of its time. Throws Error (bad_argument) if there is none.
draw::Figure counts_figure(std::span<const MeasuredCase> cases, const std::string& machine);

/// Draws a row of panels per sweep: the times of the rungs, of the peers (dashed) and the floor; and the speedup of the
/// op, the last rung, over the first rung and over each peer. A curve has a gap if a rung was not verified. Throws
/// Error (bad_argument) if nothing was verified.
draw::Figure sweep_figure(std::span<const Sweep> sweeps, const std::string& machine);

/// Draws a roofline: the operation rates of rungs over the operations per byte of memory traffic. A panel per workload
/// has the measured roofs of memory and of the unit with most of its operations, and a point per rung and case. Throws
/// Error (bad_argument) if no case has operations, or the results have no roofs.
draw::Figure roofline_figure(const nlohmann::json& results, std::span<const MeasuredCase> cases,
                             const std::string& machine);

/// Draws what each parameter of a tuned kernel is worth: a panel per parameter, the most important first.
draw::Figure worth_figure(std::span<const tune::ParameterWorth> parameters, const std::string& machine);

}  // namespace rafter::plot
