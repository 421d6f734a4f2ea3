// Figures inside a page.
#pragma once

#include <string>

#include "draw/figure.hpp"

namespace rafter::report {

/// The figure as an image that the page carries with it; empty where nothing here draws. `what` is for those who do not
/// see it.
std::string picture(const draw::Figure& figure, const std::string& what);

}  // namespace rafter::report
