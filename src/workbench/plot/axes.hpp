// Logarithmic axes for times, ratios and rates.
#pragma once

#include <string>

#include "workbench/draw/figure.hpp"

namespace rafter::plot {

/// Whether the number can be drawn on a logarithmic axis.
bool is_positive(double number);

/// Returns an axis slightly larger than the data, with labels at powers of ten, or 1, 2 and 5 times those.
draw::Axis logarithmic_axis(draw::Range data, std::string (*words)(double));

std::string time_words(double ns);          ///< "20 us"
std::string ratio_words(double ratio);      ///< "5x"
std::string rate_words(double per_second);  ///< "2 T"
std::string plain_words(double number);     ///< "0.5"

}  // namespace rafter::plot
