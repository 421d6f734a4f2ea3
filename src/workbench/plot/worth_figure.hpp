// What each parameter of a tuned kernel is worth, as bars.
#pragma once

#include <span>
#include <string>

#include "workbench/draw/figure.hpp"
#include "workbench/tune/worth.hpp"

namespace rafter::plot {

/// A panel for each parameter, those that matter most first.
draw::Figure worth_figure(std::span<const tune::ParameterWorth> parameters, const std::string& machine);

}  // namespace rafter::plot
