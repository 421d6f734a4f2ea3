// The steps of a journal as a figure.
#pragma once

#include <optional>

#include "workbench/draw/figure.hpp"
#include "workbench/journal/steps.hpp"

namespace rafter::report {

/// Times over steps, with the floor and the target as lines; nothing where fewer than two steps of the main case were
/// timed.
std::optional<draw::Figure> steps_figure(const journal::Steps& steps);

}  // namespace rafter::report
